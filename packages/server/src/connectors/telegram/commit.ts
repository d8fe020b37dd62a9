/** The call that posts, and what its answer proves. Nothing else ever tells: there is no way for a bot to look. */
import type { CommitPlan, ConfirmResult, JsonObject, VerifyResult, Work } from '../contract.ts';
import type { HttpAnswer } from '../kit/http.ts';
import { methodUrl, resultOf } from './api.ts';
import { progressOf } from './checkpoint.ts';
import { codeOf, failureOf, REFUSED_WORDS } from './classify.ts';
import { postFields, publishedFrom, uploadBody } from './message.ts';
import { callerOf } from './publish.ts';

const NAMED_MS = 30_000;
const ANSWER_MS = 60_000;
/** Bytes a ms. The account's lane is held for as long, so less patience than with a storage chat. */
const SLOWEST_UPLINK = 100;
/** Longer than anybody goes on looking, ms. */
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
        deadlineMs: ANSWER_MS + Math.ceil(work.media.bytes / SLOWEST_UPLINK),
      };
    // Only a picture that Telegram has taken before: nothing may be refused for its sake that nobody can look for.
    const cover = progress.coverless ? '' : progress.coverId;
    const bytes = JSON.stringify({ ...fields, video: progress.fileId, ...(cover ? { cover } : {}) });
    return { ...common, body: { kind: 'bytes', type: 'application/json; charset=UTF-8', bytes }, deadlineMs: NAMED_MS };
  },
  // A sentence that is not known may belong to a second try of Telegram's own behind a first one that worked; only
  // those proven to come before anything is sent count, and the two statuses that every gateway gives before it passes on.
  answers: [
    { status: 200, code: 'ok', proves: 'done' },
    { status: 401, code: 'unauthorized', proves: 'notYet' },
    { status: 404, code: 'not_found', proves: 'refused' },
    { status: 403, code: 'outside', proves: 'refused' },
    ...REFUSED_WORDS.map((code) => ({ status: 400, code, proves: 'refused' as const })),
    { status: 400, code: 'file', proves: 'notYet' },
    { status: 400, code: 'moved', proves: 'notYet' },
    { status: 413, proves: 'refused' },
    { status: 429, proves: 'notYet' },
  ],
  codeOf,
  failureOf,
  done,
};

/** @throws TypeError where the answer is no message */
function done(work: Work, _checkpoint: JsonObject, answer: HttpAnswer): ConfirmResult {
  const published = publishedFrom(resultOf(answer), work.session.endpoints.web);
  return { then: 'posted', published, note: 'Telegram has posted it.' };
}

/** An answer is the post itself, so nothing is ever left to be confirmed. */
export async function confirm(_work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const note = 'Telegram has it; it tells bots nothing more.';
  return { then: 'confirming', checkpoint, afterMs: 60_000, note, complete: true };
}

/**
 * The Bot API reads no history of a channel, and a bot is not told of its own posts. So whether a send without proof has
 * worked cannot be found out, now or later: that is for the owner to see.
 */
export async function verify(): Promise<VerifyResult> {
  const note = 'Telegram lets no bot see what a channel shows.';
  return { then: 'stillUnknown', note, afterMs: NEVER_MS };
}
