/** The Bluesky connector's checkpoint. Type aliases, so that they are also {@link JsonObject}s. */
import type { JsonObject } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

/** Progress of a publish. Times are ms since the epoch. */
export type Progress = {
  /** Hash of the uploaded file. A different hash starts a new upload. */
  sha256: string;
  phase: 'upload' | 'parts' | 'job' | 'uploaded';
  /** DIDs of the mentioned handles, resolved when the publish began. */
  mentions: Record<string, string>;
  /** Upload route: to the account's server, or to the video service in one request or in parts. */
  by: 'server' | 'service' | 'service-parts';
  /** Number of failed attempts at the video service. */
  rounds: number;
  /** Number of uploaded blobs that were abandoned. */
  losses: number;
  upload: {
    jobId: string;
    partBytes: number;
    partCount: number;
    nextPart: number;
    /** Number of parts that were refused; absent in checkpoints of earlier versions. */
    refusals?: number;
  } | null;
  job: { id: string; polls: number } | null;
  service: { token: string; expiresAt: number } | null;
  blob: { ref: JsonObject; at: number } | null;
  frozen: Frozen | null;
};

/** The record to send. Its key and content do not change while the outcome of a send is unknown. */
export type Frozen = {
  rkey: string;
  record: JsonObject;
  at: number;
  /** Number of the send that it was created for. */
  commitNumber: number;
  /** URL of the server that it is written to. */
  server: string;
  /** Revision of the repository before the send; "" if unknown. */
  rev: string;
};

/** Returns the initial state, before any upload. */
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

/** Returns a checkpoint that we wrote, or null if it is not one. */
export function progressOf(checkpoint: JsonObject | null): Progress | null {
  return textAt(checkpoint, 'sha256') && textAt(checkpoint, 'phase') ? (checkpoint as Progress) : null;
}

/** Returns the record that may have been sent, or null. */
export function frozenOf(checkpoint: JsonObject | null): Frozen | null {
  const frozen = at(checkpoint, 'frozen');
  return textAt(frozen, 'rkey') && numberAt(frozen, 'at') !== null ? (frozen as Frozen) : null;
}
