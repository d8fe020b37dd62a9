/** The Facebook connector's checkpoint. */
import { defineCheckpoint, emptyOf } from '../kit/checkpoint.ts';

/** Progress of a publish. Checkpoints are stored encrypted, because they contain the Page token. */
export const { empty: NEW, parse: uploadOf } = defineCheckpoint({
  pageToken: '',
  /** "" while no upload is open. */
  videoId: '',
  uploadUrl: '',
  /** Facebook has all bytes. */
  uploaded: false,
  /** Number of offset mismatches and rejected tokens. */
  strays: 0,
  /** How often the finish request was prepared for sending. If 0, this video cannot have been posted. */
  finishes: 0,
  /** When the last finish request was prepared, ms since the epoch. */
  offeredAt: 0,
  /** Setting a thumbnail was attempted, successfully or not. */
  covered: false,
  /** When the first upload of this post was opened, ms since the epoch. */
  firstOpenedAt: 0,
  /** Number of abandoned uploads. */
  restarts: 0,
  /** Status polls made so far. */
  polls: 0,
});
export type Upload = typeof NEW;

/** Initial values of an upload that is not open yet. */
export const UNOPENED = emptyOf(
  NEW,
  'videoId',
  'uploadUrl',
  'uploaded',
  'strays',
  'finishes',
  'offeredAt',
  'covered',
  'polls',
);
