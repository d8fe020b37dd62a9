/** `media_publish`: the one call after which the reel appears, and what its answer proves. */
import type { CommitPlan, ConfirmResult, JsonObject, Work } from '../contract.ts';
import type { HttpAnswer } from '../kit/http.ts';
import { textAt } from '../kit/json.ts';
import { callerOf, credentialsOf, graphUrl } from './api.ts';
import { progressOf } from './checkpoint.ts';
import { codeOf, failureOf } from './classify.ts';

const DEADLINE_MS = 60_000;

export const commit: CommitPlan = {
  async request({ session }, checkpoint) {
    const { container } = progressOf(checkpoint);
    const caller = callerOf(session);
    return {
      method: 'POST',
      url: graphUrl(caller, `${session.remoteId}/media_publish`),
      headers: {},
      body: {
        kind: 'bytes',
        type: 'application/x-www-form-urlencoded',
        bytes: new URLSearchParams({ creation_id: container, ...credentialsOf(caller) }).toString(),
      },
      deadlineMs: DEADLINE_MS,
    };
  },
  // A dead token, a missing permission and a limit are found before anything is done; so are the platform's own refusals
  // that are listed for this call. Whatever else comes (24, -1, 1, 2, any 5xx, a page) says nothing for sure, nor does
  // "blocked as spam" (4/2207051), which was seen for reels that were there: the container does.
  answers: [
    { status: 200, proves: 'done' },
    ...['102', '190', '4', '17', '32', '341', '368', '613', '80002', '9/2207042', '9007/2207027'].map(
      (code) => ({ status: [400, 499], code, proves: 'notYet' }) as const,
    ),
    ...['10', '200', '25/2207050', '36004/2207010', '352/2207026'].map(
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
  if (!/^\d+$/.test(mediaId)) throw new TypeError('The answer names no reel.');
  return {
    then: 'confirming',
    checkpoint: { ...progress, mediaId, looks: 0 },
    afterMs: session.sandbox ? 0 : 1_000,
    note: 'Instagram has published the reel.',
  };
}
