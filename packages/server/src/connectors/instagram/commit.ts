/** The irreversible request (`media_publish`) and what its responses prove. */
import type { HttpAnswer } from '../../outbound/http-client.ts';
import type { CommitPlan, ConfirmResult, JsonObject, Work } from '../contract.ts';
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
  // Invalid tokens, missing permissions, limits and the rejections documented for this call are detected before
  // anything is done.
  // Any other response is inconclusive (24, -1, 1, 2, any 5xx, HTML); the container decides. That includes "blocked as
  // spam" (4/2207051), which was observed for reels that had been published.
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

/** @throws TypeError if the response does not name a reel */
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
