import type { Database } from '../db/database.ts';
import type { Storage } from '../storage/contract.ts';

export interface MaintenanceDeps {
  db: Database;
  storage: Storage;
  /** Days that a video is kept after its last target settled. */
  retentionDays: number;
  onError(error: unknown): void;
  /** Called for each sweep that removed something. */
  onSwept?(name: string, count: number): void;
}
