/** A target with everything that a step needs. */
import type { JsonObject } from '../connectors/contract.ts';
import type { QuietHours } from '../local-time/quiet-hours.ts';
import type { VideoFacts } from '../media/types.ts';
import type { TargetRendition } from './choose-file.ts';
import type { Lane } from './lanes.ts';
import type { Target } from './target.ts';

export interface Task {
  target: Target;
  lane: Lane;
  /** The stored checkpoint if it cannot be decrypted; then `target.checkpoint` is null. */
  unreadable: Buffer | null;
  /** Database time of the read (ms since the epoch), and the monotonic clock at that moment. */
  readAt: number;
  readMark: number;
  /** `text` is the caption for this target; `options` are the options for its platform only. */
  post: { id: string; userId: string; text: string; previewTimeMs: number; options: JsonObject };
  /** The outgoing file, and the properties of the `original` that it may be made from. */
  media: {
    id: string;
    storageKey: string;
    sha256: string;
    state: string;
    facts: VideoFacts;
    original: VideoFacts;
    thumbnail: string;
  };
  rendition: TargetRendition | null;
  account: { id: string; platform: string; status: string; service: string; sandbox: boolean };
  /** The quiet hours that the target waits for; null: none. */
  quietHours: QuietHours | null;
  owner: { late: 'post' | 'skip' };
  /**
   * The latest turn of another target of this identity: its start within the last hour, or the planned start of a late
   * one.
   */
  lastTurnAt: number | null;
}
