/** The video of a post as connectors see it. */
import type { Readable } from 'node:stream';
import type { Container } from '../media/types.ts';

/** The stored video. Access is by stream only: no connector holds a whole file in memory. */
export interface Media {
  bytes: number;
  sha256: string;
  mime: string;
  container: Container;
  durationMs: number;
  width: number;
  height: number;
  /** @param range first and last byte, both inclusive. Defaults to the whole file. */
  stream(range?: { first: number; last: number }): Promise<Readable>;
  /**
   * Returns a public URL of the video for platforms that fetch it: signed, supports ranges, valid for one day, and
   * invalidated when the target is settled. Must not be shown to anyone else.
   */
  link(): string;
  /** Returns the frame at the post's `previewTime`: a JPEG of 720 × 1280, about 100 kB. */
  cover(): Promise<Cover>;
}

/** A small picture, at most a few hundred kB; the only media that a connector may hold in memory. */
export interface Cover {
  mime: 'image/jpeg';
  bytes: Buffer;
}
