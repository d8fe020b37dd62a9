/** The irreversible request (`POST /2/tweets`) and what its responses prove. */
import type { HttpAnswer } from '../../outbound/http-client.ts';
import type { CommitPlan, ConfirmResult, JsonObject, Work } from '../contract.ts';
import { at, textAt } from '../kit/json.ts';
import { bearer, isId } from './api.ts';
import { uploadOf } from './checkpoint.ts';
import { codeOf, failureOf } from './classify.ts';
import { posted } from './posted.ts';
import { findByMedia } from './timeline.ts';

const DEADLINE_MS = 60_000;
const ASK_AGAIN_MS = 60_000;

export const commit: CommitPlan = {
  async request({ session, post }, checkpoint) {
    const { replySettings, madeWithAi, paidPartnership } = post.options;
    const body = {
      text: post.text,
      media: { media_ids: [uploadOf(checkpoint).mediaId] },
      // Everyone is the default; X rejects the explicit value.
      ...(replySettings && replySettings !== 'everyone' ? { reply_settings: replySettings } : {}),
      ...(typeof madeWithAi === 'boolean' ? { made_with_ai: madeWithAi } : {}),
      ...(typeof paidPartnership === 'boolean' ? { paid_partnership: paidPartnership } : {}),
    };
    return {
      method: 'POST',
      url: `${session.endpoints.api}/2/tweets`,
      headers: bearer(session),
      body: { kind: 'bytes', type: 'application/json', bytes: JSON.stringify(body) },
      deadlineMs: DEADLINE_MS,
    };
  },
  // Requests rejected before or because of validation had no effect.
  // A duplicate error proves nothing: it may answer a resend, even one made by a gateway. A 5xx proves nothing either.
  answers: [
    { status: 201, proves: 'done' },
    { status: 401, proves: 'notYet' },
    { status: 402, proves: 'notYet' },
    { status: 429, proves: 'notYet' },
    { status: 400, code: 'media_invalid', proves: 'notYet' },
    { status: 400, code: 'invalid-request', proves: 'refused' },
    { status: 403, code: 'not_permitted', proves: 'refused' },
    { status: 403, code: 'video_too_long', proves: 'refused' },
    { status: 403, code: 'invalid_url', proves: 'refused' },
    { status: 403, code: 'account', proves: 'refused' },
    { status: 403, code: 'unsupported_authentication', proves: 'refused' },
    { status: 403, code: 'client-forbidden', proves: 'refused' },
    { status: 403, code: 'client-not-enrolled', proves: 'refused' },
    { status: 403, code: 'usage-capped', proves: 'refused' },
  ],
  codeOf,
  failureOf: (answer, now) => failureOf(answer, now, 'post'),
  done,
};

/** The post is live once 201 arrives. @throws TypeError if the response names no post */
function done({ session }: Work, _checkpoint: JsonObject, answer: HttpAnswer): ConfirmResult {
  const id = textAt(at(answer.tryJson(), 'data'), 'id');
  if (!isId(id)) throw new TypeError('The answer names no post.');
  return posted(session, id, null, 'Posted.');
}

/** A response to the send is conclusive. If confirmation is needed anyway, the timeline decides. */
export async function confirm({ session, post }: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const { found } = await findByMedia(session, uploadOf(checkpoint), post.text);
  if (found) return posted(session, found.id, found.createdAt, 'The account shows the post.');
  return { then: 'confirming', checkpoint, afterMs: ASK_AGAIN_MS, note: 'The account does not show the post yet.' };
}
