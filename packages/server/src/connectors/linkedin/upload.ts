/**
 * An upload: its checkpoint, and its parts, which are parsed from LinkedIn's instructions, validated against the file
 * size, and sent one by one.
 */
import { z } from 'zod';
import type { HttpRequest } from '../../outbound/http-client.ts';
import type { Media } from '../contract.ts';
import { defineCheckpoint, emptyOf, texts } from '../kit/checkpoint.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { transferMs } from '../kit/requests.ts';

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
export const UNOPENED = emptyOf(
  NEW,
  'video',
  'uploadToken',
  'expiresAt',
  'parts',
  'etags',
  'coverUrl',
  'coverMissing',
  'stumbles',
  'finalizedAt',
  'polls',
  'closed',
);

function partOf(part: unknown): Part {
  return { url: textAt(part, 'url'), first: numberAt(part, 'first') ?? 0, last: numberAt(part, 'last') ?? -1 };
}

/** Parses the parts in order. Returns null unless they cover every byte of the file exactly once. Pure. */
export function partsFrom(instructions: unknown, bytes: number): Part[] | null {
  if (!Array.isArray(instructions)) return null;
  const parts = instructions.map(
    (each): Part => ({
      url: textAt(each, 'uploadUrl'),
      first: numberAt(each, 'firstByte') ?? -1,
      last: numberAt(each, 'lastByte') ?? -1,
    }),
  );
  parts.sort((one, other) => one.first - other.first);
  let next = 0;
  for (const { url, first, last } of parts) {
    if (!isWebAddress(url) || first !== next || last < first) return null;
    next = last + 1;
  }
  return next === bytes ? parts : null;
}

export const isWebAddress = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

/** Builds the request that sends a part. It carries no token, because the URL grants access. */
export function partRequest(media: Media, { url, first, last }: Part): HttpRequest {
  const length = last - first + 1;
  const open = () => media.stream({ first, last });
  return {
    method: 'PUT',
    url,
    body: { kind: 'stream', type: 'application/octet-stream', length, open },
    deadlineMs: transferMs(length, { answerMs: 30_000, bytesPerMs: 125 }),
  };
}

/** Returns the ETag of an uploaded part exactly as in the header; "" if absent. */
export function etagOf(headers: Record<string, string>): string {
  return textAt({ etag: at(headers, 'etag') }, 'etag');
}
