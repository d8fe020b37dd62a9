import type { Database } from '../db/database.ts';
import type { Storage } from '../storage/contract.ts';

export interface UpkeepNeeds {
  db: Database;
  storage: Storage;
  /** Days that a video outlives the last of its targets. */
  retentionDays: number;
  onError(error: unknown): void;
  /** Told of a sweep that found something. */
  onSwept?(name: string, count: number): void;
}
