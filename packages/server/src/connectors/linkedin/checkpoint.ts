/** The LinkedIn connector's checkpoint. */
import { z } from 'zod';
import { defineCheckpoint, texts } from '../kit/checkpoint.ts';
import { numberAt, textAt } from '../kit/json.ts';

/** A part that is still to be sent. Its URL grants access without a token, so checkpoints are stored encrypted. */
export type Part = {
  url: string;
  /** Offset of its first byte; `last` is inclusive too. */
  first: number;
  last: number;
};

/** State of a publish. */
export const { empty: NEW, parse: uploadOf } = defineCheckpoint({
  /** Hash of the file being uploaded. A different hash starts a new upload. */
  sha256: '',
  /** URN; "" while no upload is open. */
  video: '',
  /** Usually "", but LinkedIn requires it to be sent back. */
  uploadToken: '',
  /** ms since the epoch, from LinkedIn; 0 if it gave none. */
  expiresAt: 0,
  /** Parts left to send, in order. */
  parts: z.array(z.unknown().transform(partOf)).catch(() => []),
  /** ETags of the uploaded parts in order, including their quotes. */
  etags: texts,
  /** Upload URL of the cover; "" once sent or if there is no cover. */
  coverUrl: '',
  /** LinkedIn rejected the cover that this upload announced. */
  coverMissing: false,
  /** A cover was rejected; later uploads announce none. */
  coverless: false,
  /** When the first upload of this post was opened, in ms since the epoch. */
  openedAt: 0,
  /** Number of uploads opened. */
  uploads: 0,
  /** Number of failed finalize calls. */
  stumbles: 0,
  /** When LinkedIn finalized the upload, in ms since the epoch; 0 if it has not. */
  finalizedAt: 0,
  /** Number of polls for the video's status. */
  polls: 0,
  /** Number of responses that denied access to the video. */
  closed: 0,
  /** Number of commits to send the post. */
  offers: 0,
  /** Number of sends of unknown outcome that were verified to have created no post. */
  voids: 0,
  /** Value of `voids` at the last pause. */
  rested: 0,
});
export type Upload = typeof NEW;

/** State of an upload that has not been opened. */
export const UNOPENED = {
  video: '',
  uploadToken: '',
  expiresAt: 0,
  parts: [],
  etags: [],
  coverUrl: '',
  coverMissing: false,
  stumbles: 0,
  finalizedAt: 0,
  polls: 0,
  closed: 0,
} satisfies Partial<Upload>;

function partOf(part: unknown): Part {
  return { url: textAt(part, 'url'), first: numberAt(part, 'first') ?? 0, last: numberAt(part, 'last') ?? -1 };
}
