import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** How far a publish has come. Times are ms since the epoch. */
export interface Progress {
  /** Of the file that was uploaded: other bytes are another upload. */
  sha256: string;
  phase: 'upload' | 'parts' | 'job' | 'uploaded';
  /** DIDs of the handles that the text mentions, as they were when the publish began. */
  mentions: Record<string, string>;
  /** How the bytes go: to the account's server, or to the video service in one request or in parts. */
  by: 'server' | 'service' | 'service-parts';
  /** Failed rounds through the video service. */
  rounds: number;
  /** How often the uploaded blob was given up. */
  losses: number;
  upload: { jobId: string; partBytes: number; partCount: number; nextPart: number } | null;
  job: { id: string; polls: number } | null;
  service: { token: string; expiresAt: number } | null;
  blob: { ref: JsonObject; at: number } | null;
  frozen: Frozen | null;
}

/** The record as it is sent, whatever happens: its key and content never change while a send is open. */
export interface Frozen {
  rkey: string;
  record: JsonObject;
  at: number;
  /** Number of the send that it was frozen for. */
  commitNumber: number;
  /** The server that it is written to. */
  server: string;
  /** The repository's revision before; "" where it was not told. */
  rev: string;
}

/** Where a publish begins: nothing is uploaded yet. */
export function freshProgress(sha256: string, mentions: Record<string, string>, by: Progress['by']): Progress {
  return {
    sha256,
    phase: 'upload',
    mentions,
    by,
    rounds: 0,
    losses: 0,
    upload: null,
    job: null,
    service: null,
    blob: null,
    frozen: null,
  };
}

export function toCheckpoint(progress: Progress): JsonObject {
  return { ...progress } as unknown as JsonObject;
}

/** A checkpoint that we wrote, or null where it is none. */
export function progressOf(checkpoint: JsonObject | null): Progress | null {
  return textAt(checkpoint, 'sha256') && textAt(checkpoint, 'phase') ? (checkpoint as unknown as Progress) : null;
}

/** What may have been sent, or null. */
export function frozenOf(checkpoint: JsonObject | null): Frozen | null {
  const frozen = at(checkpoint, 'frozen');
  return textAt(frozen, 'rkey') && numberAt(frozen, 'at') !== null ? (frozen as Frozen) : null;
}
