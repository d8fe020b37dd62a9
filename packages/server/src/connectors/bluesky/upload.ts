/** Uploads a blob to the account's server. */
import { MINUTE } from '../../time.ts';
import type { JsonObject, StepResult, Work } from '../contract.ts';
import { rejected, transient } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { failed, proceed } from '../kit/results.ts';
import { type Progress, toCheckpoint } from './checkpoint.ts';
import { failureOf } from './classify.ts';
import { MAX_VIDEO_BYTES, USUAL_BLOB_BYTES } from './limits.ts';
import { pdsOf } from './pds.ts';

/** Minimum upload rate in bytes per second. */
const SLOWEST_BYTES_PER_SECOND = 50_000;

/** Uploads the video as one blob to the account's server. It becomes visible once Bluesky has processed the post. */
export async function uploadBlob({ session, media }: Work, progress: Progress): Promise<StepResult> {
  await session.spend('blobs');
  const response = await pdsOf(session).call({
    method: 'POST',
    nsid: 'com.atproto.repo.uploadBlob',
    body: { kind: 'stream', open: () => media.stream(), length: media.bytes, type: 'video/mp4' },
    deadlineMs: uploadDeadline(media.bytes),
  });
  if (response.status !== 200) return failed(failureOf(response, session.now()));
  const blob = at(response.tryJson(), 'blob');
  return uploaded(progress, blob, session.now(), "The video is on the account's server.");
}

/** Continues with the record once the blob exists. @param blob unchanged from the server's response */
export function uploaded(progress: Progress, blob: unknown, now: number, note: string): StepResult {
  if (!textAt(blob, 'ref', '$link')) return failed(transient('The upload was answered without a reference.'));
  const mime = textAt(blob, 'mimeType');
  // Servers detect the media type from the content. A post cannot show a blob of another type.
  if (mime !== 'video/mp4') return failed(rejected('video', `The server takes the video for ${mime}.`));
  const next: Progress = {
    ...progress,
    phase: 'uploaded',
    upload: null,
    job: null,
    service: null,
    blob: { ref: blob as JsonObject, at: now },
  };
  return proceed(toCheckpoint(next), note);
}

/** Returns the server's maximum blob size in bytes. @param extra facts about the account */
export function blobLimit(extra: JsonObject): number {
  return Math.min(numberAt(extra, 'blobUploadLimit') ?? USUAL_BLOB_BYTES, MAX_VIDEO_BYTES);
}

/** Returns the upload deadline in ms for a body size. */
export function uploadDeadline(bytes: number): number {
  return MINUTE + Math.ceil((bytes / SLOWEST_BYTES_PER_SECOND) * 1000);
}
