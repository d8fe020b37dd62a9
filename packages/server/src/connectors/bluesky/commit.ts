/**
 * The request that writes the record, and what its response proves. `swapRecord: null` requires that the key is unused.
 * Writing the same record again changes nothing; a different one is rejected (tested with PDS 0.5.35).
 */
import type { HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { CommitPlan, ConfirmResult, JsonObject, Published, Work } from '../contract.ts';
import { transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { POST, postUrl } from './address.ts';
import { type Frozen, frozenOf } from './checkpoint.ts';
import { codeOf, failureOf } from './classify.ts';
import { pdsOf, xrpcUrl } from './pds.ts';
import { KEY_LIFE_MS } from './publish.ts';
import { timeOfTid } from './record.ts';

const PUT = 'com.atproto.repo.putRecord';
const DEADLINE_MS = 30_000;

export const commit: CommitPlan = {
  async request({ session }, checkpoint) {
    const frozen = frozenOf(checkpoint);
    if (!frozen || session.now() - frozen.at >= KEY_LIFE_MS)
      throw new PlatformError(transient('The record is too old to be sent as it is.', 0));
    const body = {
      repo: session.remoteId,
      collection: POST,
      rkey: frozen.rkey,
      record: frozen.record,
      swapRecord: null,
    };
    return {
      method: 'POST',
      url: xrpcUrl(session.service, PUT),
      headers: await pdsOf(session).headersOnce(PUT),
      body: { kind: 'bytes', type: 'application/json', bytes: JSON.stringify(body) },
      deadlineMs: DEADLINE_MS,
    };
  },
  // Errors raised before anything is written: token, limits, record format, missing blob. InvalidSwap means that we
  // already used the key. Like every unlisted response, it is verified.
  responses: [
    { status: 200, proves: 'done' },
    { status: 401, proves: 'retryable' },
    { status: 429, proves: 'retryable' },
    { status: 400, code: 'ExpiredToken', proves: 'retryable' },
    { status: 400, code: 'InvalidToken', proves: 'retryable' },
    { status: 400, code: 'use_dpop_nonce', proves: 'retryable' },
    { status: 400, code: 'BlobNotFound', proves: 'retryable' },
    { status: 400, code: 'InvalidMimeType', proves: 'retryable' },
    { status: 400, code: 'InvalidSize', proves: 'retryable' },
    { status: 400, code: 'InvalidRequest', proves: 'refused' },
    { status: 403, code: 'AccountNotFound', proves: 'retryable' },
    { status: 403, code: 'ScopeMissingError', proves: 'refused' },
  ],
  codeOf,
  failureOf,
  done,
};

/** @throws PlatformError if the response is not about our record */
function done({ session }: Work, checkpoint: JsonObject, response: HttpResponse): ConfirmResult {
  const frozen = frozenOf(checkpoint);
  const body = response.json();
  if (!frozen || textAt(body, 'uri') !== uriOf(session.remoteId, frozen.rkey) || !textAt(body, 'cid'))
    throw new PlatformError({ kind: 'unknownOutcome', detail: 'The answer is not about our record.' });
  const written = timeOfTid(textAt(body, 'commit', 'rev'));
  return { then: 'posted', published: publishedAs(session, frozen, written), note: 'The record is written.' };
}

/** @param writtenAt ms since the epoch, from the server; null if absent */
export function publishedAs(
  session: Pick<Work['session'], 'remoteId' | 'endpoints'>,
  { rkey }: Pick<Frozen, 'rkey'>,
  writtenAt: number | null,
): Published {
  return {
    remoteId: uriOf(session.remoteId, rkey),
    url: postUrl(session.endpoints.web, session.remoteId, rkey),
    publishedAt: writtenAt,
  };
}

export function uriOf(did: string, rkey: string): string {
  return `at://${did}/${POST}/${rkey}`;
}
