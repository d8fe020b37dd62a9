/** What the Graph API says when it says no, for the tables of the platforms that speak it. */
import type { HttpAnswer } from '../../src/connectors/kit/http.ts';
import { answerOf } from './odd-answers.ts';

/** A refusal by its numbers. */
export function graphSaid(code: number, subcode?: number, message = 'words', status = 400): HttpAnswer {
  const more = subcode ? { error_subcode: subcode } : {};
  return answerOf(status, { error: { message, type: 'OAuthException', code, ...more, fbtrace_id: 'Atrace' } });
}
