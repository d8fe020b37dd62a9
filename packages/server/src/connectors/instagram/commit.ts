/** `media_publish`: the one call after which the reel appears, and what its answer proves. */
import type { CommitPlan, ConfirmResult, JsonObject, Work } from '../contract.ts';
import type { HttpAnswer } from '../kit/http.ts';
import { textAt } from '../kit/json.ts';
import { callerOf, graphUrl } from './api.ts';
import { progressOf } from './checkpoint.ts';
import { codeOf, failureOf } from './classify.ts';

const DEADLINE_MS = 60_000;

export const commit: CommitPlan = {
  async request({ session }, checkpoint) {
    const progress = progressOf(checkpoint);
    const caller = callerOf(session);
    // What a second call for a published container does is documented nowhere. Where it may be published, the request
    // is only a question (`method=get` makes a reading of it), and whatever comes of it, `verify` decides.
    const form: Record<string, string> = progress.settled
      ? { method: 'get', fields: 'status_code' }
      : { creation_id: progress.container };
    return {
      method: 'POST',
      url: graphUrl(caller, progress.settled ? progress.container : `${session.remoteId}/media_publish`),
      headers: {},
      body: {
        kind: 'bytes',
        type: 'application/x-www-form-urlencoded',
        bytes: new URLSearchParams({ ...form, access_token: caller.token }).toString(),
      },
      deadlineMs: DEADLINE_MS,
    };
  },
  // A dead token, a missing permission, a limit and a block are found before anything is done; so are the platform's own
  // refusals that are listed for this call. Whatever else comes (24, -1, 1, 2, any 5xx, a page) says nothing for sure:
  // the container does.
  answers: [
    { status: 200, proves: 'done' },
    ...['102', '190', '4', '17', '32', '341', '368', '613', '80002', '9/2207042', '9007/2207027'].map(
      (code) => ({ status: [400, 499], code, proves: 'notYet' }) as const,
    ),
    ...['10', '200', '25/2207050', '4/2207051', '36004/2207010', '352/2207026'].map(
      (code) => ({ status: [400, 499], code, proves: 'refused' }) as const,
    ),
  ],
  codeOf,
  failureOf: (answer) => failureOf(answer),
  done,
};

/** @throws TypeError where the answer does not name a reel */
function done({ session }: Work, checkpoint: JsonObject, answer: HttpAnswer): ConfirmResult {
  const progress = progressOf(checkpoint);
  const mediaId = textAt(answer.json(), 'id');
  if (progress.settled || !/^\d+$/.test(mediaId)) throw new TypeError('The answer names no reel.');
  return {
    then: 'confirming',
    checkpoint: { ...progress, settled: true, mediaId, looks: 0 },
    afterMs: session.sandbox ? 0 : 1_000,
    note: 'Instagram has published the reel.',
  };
}
