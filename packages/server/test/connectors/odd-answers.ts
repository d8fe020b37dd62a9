/**
 * Network faults and odd responses that apply to any platform. Used by the tables of `PLATFORM-once.test.ts` (a
 * platform adds its own faults: `{ ...BROKEN, ...DELAYED, 'is answered with 403 by HTML': … }`) and of
 * `PLATFORM-reading.test.ts`.
 */

import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import type { HttpAnswer } from '../../src/outbound/http-client.ts';
import { parseJson } from '../../src/outbound/json.ts';

/** Faults on the way there, on the way back, and in intermediaries. None of them proves the outcome of a request. */
export const BROKEN: Readonly<Record<string, Fault>> = {
  'is cut before it arrives': { kind: 'reset-before' },
  'is carried out and the answer lost': { kind: 'reset-after' },
  'is carried out and answered with rubbish': { kind: 'garbage', acted: true },
  'is answered with rubbish': { kind: 'garbage', acted: false },
  'is answered with 500': { kind: 'refusal', refusal: 'server-error' },
  'is carried out and answered with 500': { kind: 'refusal', refusal: 'server-error', acted: true },
  'is answered with 502': { kind: 'status', answer: { status: 502, body: '<html>Bad gateway</html>' } },
  'is carried out and answered with 504': { kind: 'status', answer: { status: 504, body: '' }, acted: true },
  'is answered with 421': { kind: 'status', answer: { status: 421 } },
  'is redirected with 307': { kind: 'redirect', status: 307 },
  'is carried out and redirected with 308': { kind: 'redirect', status: 308, acted: true },
};

/** Faults that only delay a publish: an incomplete request, a slow response, a limit. */
export const DELAYED: Readonly<Record<string, Fault>> = {
  'is cut in the middle': { kind: 'reset-before', afterBytes: 10 },
  'is answered slowly': { kind: 'slow-body', ms: 20 },
  'is refused for the rate': { kind: 'refusal', refusal: 'rate-limited' },
};

/**
 * Builds a response as connectors receive it. @param body a string is used unchanged, anything else is serialized as
 * JSON
 */
export function answerOf(status: number, body: unknown, headers: Record<string, string> = {}): HttpAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const tryJson = () => {
    try {
      return parseJson(text);
    } catch {
      return null;
    }
  };
  return { status, headers, text, json: () => parseJson(text), tryJson };
}
