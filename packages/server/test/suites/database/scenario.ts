/** A scenario of the database suite: one operation of the service, from start to finish. */
import type { Statement } from '../../harness/statement-faults.ts';
import type { DatabaseWorld } from './world.ts';

export interface Scenario {
  /** Short, for test titles. */
  name: string;
  /** Time limit after a fault, in ms: two leases, and the delays of the operation itself. */
  withinMs: number;
  /** Which statements are made to fail. Default: all. */
  covers?(statement: Statement): boolean;
  /** Creates what one case needs. No fault is injected yet, and no time passes. */
  prepare(world: DatabaseWorld): Promise<Attempt>;
}

export interface Attempt {
  begin(): void;
  /** Whether nothing more will happen. */
  atRest(): Promise<boolean>;
  /** Problems with the result. */
  problems(): Promise<string[]>;
}
