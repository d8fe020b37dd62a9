/** The upload host: sends all missing bytes in one request (Instagram Platform, "Resumable Upload"). */
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { Work } from '../contract.ts';
import { graphCode, uploadRefusal } from '../kit/graph.ts';
import { at } from '../kit/json.ts';
import { transferMs } from '../kit/requests.ts';
import { callerOf } from './api.ts';
import { failureOf } from './classify.ts';

/**
 * @param offset bytes that are already uploaded
 * @returns null if sent, or a failure if this upload cannot continue
 * @throws PlatformError if it can continue
 */
export async function sendVideo({ session, media }: Work, url: string, offset: number): Promise<Failure | null> {
  const length = media.bytes - offset;
  const response = await session.http({
    method: 'POST',
    url,
    headers: {
      authorization: `OAuth ${callerOf(session).token}`,
      offset: String(offset),
      file_size: String(media.bytes),
    },
    body: {
      kind: 'stream',
      length,
      type: 'application/octet-stream',
      open: () => media.stream({ first: offset, last: media.bytes - 1 }),
    },
    deadlineMs: transferMs(length, { answerMs: 60_000, bytesPerMs: 125 }),
  });
  if (response.status === 200 && at(response.tryJson(), 'success') === true) return null;
  const refusal = uploadRefusal(response);
  if (!refusal) throw new PlatformError(graphCode(response) ? failureOf(response) : unread(response.status));
  const said = refusal.words && ` It said: ${refusal.words}`;
  const failure: Failure = {
    kind: 'transient',
    detail: `Instagram did not take the upload.${said}`,
    status: response.status,
    ...(refusal.type ? { platformCode: refusal.type } : {}),
  };
  const goesOn = refusal.retriable || refusal.type === 'OffsetInvalidError' || refusal.type === 'PartialRequestError';
  if (goesOn) throw new PlatformError(failure);
  return failure;
}

function unread(status: number): Failure {
  return { kind: 'transient', detail: `Instagram's upload answered ${status}.`, status };
}
