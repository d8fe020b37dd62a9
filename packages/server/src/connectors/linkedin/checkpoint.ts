import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** A part that is still to be sent. Its address is its own permission, so checkpoints are stored sealed. */
export interface Part {
  url: string;
  /** Places of its first and last byte, both inclusive. */
  first: number;
  last: number;
}

/** Where a publish stands. */
export interface Upload {
  /** Of the file that is uploaded: other bytes are another upload. */
  sha256: string;
  /** URN; "" while no upload is open. */
  video: string;
  /** Mostly "", and has to be sent back all the same. */
  uploadToken: string;
  /** ms since the epoch, by LinkedIn's word; 0: it said none */
  expiresAt: number;
  /** In order; those that were sent are gone from it. */
  parts: Part[];
  /** What LinkedIn called the parts that it has, in order, quotes and all. */
  etags: string[];
  /** Where the picture goes; "" once it was sent, or where none is wanted. */
  coverUrl: string;
  /** LinkedIn did not take the picture that this upload had promised. */
  coverMissing: boolean;
  /** A picture was not taken: further uploads promise none. */
  coverless: boolean;
  /** ms since the epoch, of the first upload of this post */
  openedAt: number;
  /** How many uploads were begun. */
  uploads: number;
  /** How often putting the parts together failed. */
  stumbles: number;
  /** ms since the epoch when LinkedIn had put the parts together; 0: not yet */
  finalizedAt: number;
  /** How often was asked whether the video is ready. */
  polls: number;
  /** How often LinkedIn would not let us look at the video. */
  closed: number;
  /** How often the post was about to be sent. */
  offers: number;
  /** Sends without proof that are known by now to have made no post. */
  voids: number;
  /** Behind how many of them a pause was made. */
  rested: number;
}

/** What an upload has before it is opened. */
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

/** Reads a checkpoint that we wrote; what it does not have counts as none. */
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

/** A checkpoint of it. */
export function stored(upload: Upload): JsonObject {
  return { ...upload, parts: upload.parts.map((part) => ({ ...part })) };
}
