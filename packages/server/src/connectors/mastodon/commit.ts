/** The request that creates the status, and what its response proves. */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { CommitPlan, ConfirmResult, JsonObject, Work } from '../contract.ts';
import { at, textAt } from '../kit/json.ts';
import { bearer } from '../kit/requests.ts';
import { failed } from '../kit/results.ts';
import { ask, baseOf } from './api.ts';
import { acceptedOf, keyOf, progressOf } from './checkpoint.ts';
import { codeOf, failureOf } from './classify.ts';
import { statusParameters, visibilityOf } from './limits.ts';
import { publishedFrom } from './status.ts';

const DEADLINE_MS = 60_000;
/** Time in ms after which an accepted status that is still missing was dropped by the server. */
const DROPPED_AFTER_MS = 300_000;
const DROPPED_AFTER_SANDBOX_MS = 60_000;
/** Maximum time in ms to poll for the status. After it, the post counts as posted, because the server accepted it. */
const CHECK_FOR_MS = 3_600_000;

export const commit: CommitPlan = {
  async request({ session, post }, checkpoint) {
    const visibility = visibilityOf(post, session);
    return {
      method: 'POST',
      url: `${baseOf(session.endpoints, session.service)}/api/v1/statuses`,
      headers: { ...bearer(session.secret), 'Idempotency-Key': keyOf(post) },
      body: {
        kind: 'bytes',
        type: 'application/json; charset=UTF-8',
        bytes: JSON.stringify({
          status: post.text,
          media_ids: [progressOf(checkpoint).mediaId],
          // Sent explicitly, because other servers do not fall back to the user's own setting.
          ...(visibility && { visibility }),
          ...statusParameters(post),
        }),
      },
      deadlineMs: DEADLINE_MS,
    };
  },
  // An access error never reached the status. Other 4xx and 5xx responses prove nothing. 422 or 404 can follow an
  // earlier send that succeeded; 503 is also returned to a second request while its key is in use.
  responses: [
    { status: 200, proves: 'done' },
    { status: 401, proves: 'retryable' },
    { status: 429, proves: 'retryable' },
    { status: 403, code: 'api', proves: 'refused' },
    { status: 422, code: 'invalid', proves: 'refused' },
    { status: 422, code: 'not_processed', proves: 'retryable' },
  ],
  codeOf,
  failureOf: (response, now) => failureOf(response, now, 'status'),
  done,
};

/** @throws TypeError if the response is not a status */
function done(work: Work, checkpoint: JsonObject, response: HttpResponse): ConfirmResult {
  const status = response.json();
  const { remoteId, url, publishedAt } = publishedFrom(status);
  // A scheduled status has an id too, but is not posted yet.
  if (!remoteId || at(status, 'scheduled_at') !== undefined || textAt(status, 'account', 'id') === '')
    throw new TypeError('The answer is no status.');
  return {
    then: 'confirming',
    checkpoint: {
      ...checkpoint,
      statusId: remoteId,
      url: url ?? '',
      visibility: textAt(status, 'visibility'),
      publishedAt,
      acceptedAt: work.session.now(),
    },
    afterMs: 1_000,
    note: 'The server has taken the post.',
  };
}

/**
 * Checks whether the server kept the status. An anti-spam filter returns 200 and stores nothing, and a replica may lag.
 * Only a status that is still missing after minutes was dropped (Mastodon source).
 */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const { session, post } = work;
  const accepted = acceptedOf(checkpoint);
  const age = session.now() - accepted.acceptedAt;
  const wanted = visibilityOf(post, session);
  const response = await ask(session, `/api/v1/statuses/${encodeURIComponent(accepted.statusId)}`).catch(() => null);
  if (response?.status === 200 && textAt(response.tryJson(), 'id') !== '')
    return { then: 'posted', published: publishedFrom(response.tryJson(), wanted), note: 'The post is there.' };
  const again = { then: 'confirming' as const, checkpoint, afterMs: Math.min(60_000, 2_000 + age / 2) };
  if (response?.status === 404 || response?.status === 410) {
    if (age < (session.sandbox ? DROPPED_AFTER_SANDBOX_MS : DROPPED_AFTER_MS))
      return { ...again, note: 'The server does not show the post yet.' };
    const detail = 'The server said that it took the post, and then did not keep it: its filters may take it for spam.';
    return failed({ kind: 'rejected', what: 'policy', status: response.status, detail });
  }
  if (response?.status !== 401 && response?.status !== 403 && age < CHECK_FOR_MS)
    return { ...again, note: 'The server did not say whether the post is there.' };
  return {
    then: 'posted',
    published: {
      remoteId: accepted.statusId,
      url: accepted.url || null,
      publishedAt: accepted.publishedAt,
      detail: 'The server took the post; whether it is still there could not be looked up.',
    },
    note: 'The server took the post, and lets us look no more.',
  };
}
