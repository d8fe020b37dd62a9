/** What a database fault is tried on: one operation of the service, from its beginning to its rest. */
import type { DatabaseWorld } from './world.ts';

export interface Scenario {
  /** Short, for test titles. */
  name: string;
  /** By when it has to be at rest after a fault: two leases, and the pauses that the operation itself makes, in ms. */
  withinMs: number;
  /** Makes what one case needs. Nothing is disturbed yet, and no time passes. */
  prepare(world: DatabaseWorld): Promise<Attempt>;
}

export interface Attempt {
  begin(): void;
  /** Nothing more will happen to it. */
  atRest(): Promise<boolean>;
  /** What is wrong with how it ended. */
  problems(): Promise<string[]>;
}
