/** Where the process is in its life. One value, shared by whoever must know. */
export interface Lifecycle {
  state: 'starting' | 'running' | 'draining';
}
