/** The state of the process, shared by all parts that need it. */
export interface Lifecycle {
  state: 'starting' | 'running' | 'draining';
}
