/** Bytes into a blob of the account's server. */
import type { JsonObject, StepResult, Work } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { type Progress, toCheckpoint } from './checkpoint.ts';
import { failureOf } from './classify.ts';
import { MAX_VIDEO_BYTES, USUAL_BLOB_BYTES } from './limits.ts';
import { pdsOf } from './pds.ts';

const MINUTE = 60_000;
/** Slowest uplink that we wait for, bytes a second. */
const SLOWEST_BYTES_PER_SECOND = 50_000;

/** The video as one blob, straight to the account's server; viewers see it once Bluesky has processed the post. */
export async function uploadBlob({ session, media }: Work, progress: Progress): Promise<StepResult> {
  await session.spend('blobs');
  const answer = await pdsOf(session).call({
    method: 'POST',
    nsid: 'com.atproto.repo.uploadBlob',
    body: { kind: 'stream', open: () => media.stream(), length: media.bytes, type: 'video/mp4' },
    deadlineMs: uploadDeadline(media.bytes),
  });
  if (answer.status !== 200) return { then: 'failed', failure: failureOf(answer, session.now()) };
  const blob = at(answer.tryJson(), 'blob');
  return uploaded(progress, blob, session.now(), "The video is on the account's server.");
}

/** The bytes are a blob: on to the record. @param blob as the server gave it */
export function uploaded(progress: Progress, blob: unknown, now: number, note: string): StepResult {
  if (!textAt(blob, 'ref', '$link'))
    return { then: 'failed', failure: { kind: 'transient', detail: 'The upload was answered without a reference.' } };
  const mime = textAt(blob, 'mimeType');
  // Servers look into the file; what they take for something else no post can show.
  if (mime !== 'video/mp4')
    return {
      then: 'failed',
      failure: { kind: 'rejected', what: 'video', detail: `The server takes the video for ${mime}.` },
    };
  const next: Progress = {
    ...progress,
    phase: 'uploaded',
    upload: null,
    job: null,
    service: null,
    blob: { ref: blob as JsonObject, at: now },
  };
  return { then: 'continue', checkpoint: toCheckpoint(next), note };
}

/** Most bytes that the account's server takes as one blob. @param extra facts about the account */
export function blobLimit(extra: JsonObject): number {
  return Math.min(numberAt(extra, 'blobUploadLimit') ?? USUAL_BLOB_BYTES, MAX_VIDEO_BYTES);
}

/** Milliseconds for a body of so many bytes. */
export function uploadDeadline(bytes: number): number {
  return MINUTE + Math.ceil((bytes / SLOWEST_BYTES_PER_SECOND) * 1000);
}
