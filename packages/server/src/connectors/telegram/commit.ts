/**
 * The request that posts the video, and what its response proves. The response is the only evidence, because a bot
 * cannot read a channel.
 */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { CommitPlan, ConfirmResult, JsonObject, VerifyResult, Work } from '../contract.ts';
import { transferMs } from '../kit/requests.ts';
import { stillUnknown } from '../kit/results.ts';
import { methodUrl, resultOf } from './api.ts';
import { codeOf, failureOf, REFUSED_WORDS } from './classify.ts';
import { postFields, publishedFrom, uploadBody } from './message.ts';
import { callerOf, progressOf } from './publish.ts';

const NAMED_MS = 30_000;
/** The uplink must be faster than for a storage chat, because the upload holds the account's lane. */
const TRANSFER = { answerMs: 60_000, bytesPerMs: 100 };
/** Delay that exceeds every verification period, in ms. */
const NEVER_MS = 30 * 86_400_000;

export const commit: CommitPlan = {
  async request(work, checkpoint) {
    const progress = progressOf(work, checkpoint);
    const fields = postFields(work, progress.channel);
    const common = { method: 'POST', url: methodUrl(callerOf(work), 'sendVideo'), headers: {} } as const;
    if (!progress.fileId)
      return {
        ...common,
        body: uploadBody(work, fields),
        deadlineMs: transferMs(work.media.bytes, TRANSFER),
      };
    // Uses only a cover that Telegram has already accepted, so that the cover cannot cause a rejection whose outcome is
    // unverifiable.
    const cover = progress.coverless ? '' : progress.coverId;
    const bytes = JSON.stringify({ ...fields, video: progress.fileId, ...(cover ? { cover } : {}) });
    return { ...common, body: { kind: 'bytes', type: 'application/json; charset=UTF-8', bytes }, deadlineMs: NAMED_MS };
  },
  // An unknown message may result from Telegram's own retry after a first attempt that succeeded. So only messages that
  // Telegram raises before sending count, and the two statuses that gateways return before they forward a request.
  responses: [
    { status: 200, code: 'ok', proves: 'done' },
    { status: 401, code: 'unauthorized', proves: 'retryable' },
    { status: 404, code: 'not_found', proves: 'refused' },
    { status: 403, code: 'outside', proves: 'refused' },
    ...REFUSED_WORDS.map((code) => ({ status: 400, code, proves: 'refused' as const })),
    { status: 400, code: 'file', proves: 'retryable' },
    { status: 400, code: 'moved', proves: 'retryable' },
    { status: 413, proves: 'refused' },
    { status: 429, proves: 'retryable' },
  ],
  codeOf,
  failureOf,
  done,
};

/** @throws TypeError if the response is not a message */
function done(work: Work, _checkpoint: JsonObject, response: HttpResponse): ConfirmResult {
  const published = publishedFrom(resultOf(response), work.session.endpoints.web);
  return { then: 'posted', published, note: 'Telegram has posted it.' };
}

/** Not needed, because the response is the post itself and no outcome stays pending. */
export async function confirm(_work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const note = 'Telegram has it; it tells bots nothing more.';
  return { then: 'confirming', checkpoint, afterMs: 60_000, note, complete: true };
}

/**
 * Always returns `stillUnknown`. The Bot API cannot read a channel's history, and a bot gets no updates about its own
 * posts. The owner has to check.
 */
export async function verify(): Promise<VerifyResult> {
  return stillUnknown('Telegram lets no bot see what a channel shows.', NEVER_MS);
}
