/** The LinkedIn connector's checkpoint. */
import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** A part that is still to be sent. Its URL grants access without a token, so checkpoints are stored encrypted. */
export interface Part {
  url: string;
  /** Offset of its first byte; `last` is inclusive too. */
  first: number;
  last: number;
}

/** State of a publish. */
export interface Upload {
  /** Hash of the file being uploaded. A different hash starts a new upload. */
  sha256: string;
  /** URN; "" while no upload is open. */
  video: string;
  /** Usually "", but LinkedIn requires it to be sent back. */
  uploadToken: string;
  /** ms since the epoch, from LinkedIn; 0 if it gave none. */
  expiresAt: number;
  /** Parts left to send, in order. */
  parts: Part[];
  /** ETags of the uploaded parts in order, including their quotes. */
  etags: string[];
  /** Upload URL of the cover; "" once sent or if there is no cover. */
  coverUrl: string;
  /** LinkedIn rejected the cover that this upload announced. */
  coverMissing: boolean;
  /** A cover was rejected; later uploads announce none. */
  coverless: boolean;
  /** When the first upload of this post was opened, in ms since the epoch. */
  openedAt: number;
  /** Number of uploads opened. */
  uploads: number;
  /** Number of failed finalize calls. */
  stumbles: number;
  /** When LinkedIn finalized the upload, in ms since the epoch; 0 if it has not. */
  finalizedAt: number;
  /** Number of polls for the video's status. */
  polls: number;
  /** Number of responses that denied access to the video. */
  closed: number;
  /** Number of commits to send the post. */
  offers: number;
  /** Number of sends of unknown outcome that were verified to have created no post. */
  voids: number;
  /** Value of `voids` at the last pause. */
  rested: number;
}

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

/** Parses a checkpoint that we wrote. Missing fields get empty values. */
export function uploadOf(checkpoint: JsonObject | null): Upload {
  const count = (name: string) => numberAt(checkpoint, name) ?? 0;
  const parts = at(checkpoint, 'parts');
  const etags = at(checkpoint, 'etags');
  return {
    sha256: textAt(checkpoint, 'sha256'),
    video: textAt(checkpoint, 'video'),
    uploadToken: textAt(checkpoint, 'uploadToken'),
    expiresAt: count('expiresAt'),
    parts: Array.isArray(parts) ? parts.map(partOf) : [],
    etags: Array.isArray(etags) ? etags.map(String) : [],
    coverUrl: textAt(checkpoint, 'coverUrl'),
    coverMissing: at(checkpoint, 'coverMissing') === true,
    coverless: at(checkpoint, 'coverless') === true,
    openedAt: count('openedAt'),
    uploads: count('uploads'),
    stumbles: count('stumbles'),
    finalizedAt: count('finalizedAt'),
    polls: count('polls'),
    closed: count('closed'),
    offers: count('offers'),
    voids: count('voids'),
    rested: count('rested'),
  };
}

function partOf(part: unknown): Part {
  return { url: textAt(part, 'url'), first: numberAt(part, 'first') ?? 0, last: numberAt(part, 'last') ?? -1 };
}

/** Serializes an upload as a checkpoint. */
export function stored(upload: Upload): JsonObject {
  return { ...upload, parts: upload.parts.map((part) => ({ ...part })) };
}
