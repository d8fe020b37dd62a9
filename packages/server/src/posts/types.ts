import type { Config } from '../config/config.ts';
import type { Connector } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import type { Media } from '../media/media.ts';
import type { Storage } from '../storage/contract.ts';

/** What creating a post is answered with. */
export interface CreatedPost {
  historyId: string;
  scheduled: boolean;
  /** ISO 8601 */
  date: string;
  result: { platformId: string; status: 'PENDING' }[];
}

/** What the post operations need. */
export interface PostNeeds {
  db: Database;
  storage: Storage;
  media: Media;
  config: Pick<Config, 'plans' | 'sandbox' | 'leastFreeBytes'>;
  connectors: Readonly<Record<string, Connector>>;
  /** Something may be due now: workers of this process look at once. */
  wake(): void;
}
