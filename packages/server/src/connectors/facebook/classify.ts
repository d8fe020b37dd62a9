/** Maps Facebook's own error codes to failures, on top of the Graph API's ("Reels Publishing", "Handling errors"). */
import type { HttpAnswer } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { type GraphError, graphFailure, uploadRefusal } from '../kit/graph.ts';

const NAME = 'Facebook';
const HOUR_MS = 3_600_000;

/** Converts an error response of the Graph API to a {@link Failure}. Never throws. */
export function failureOf(answer: HttpAnswer): Failure {
  return graphFailure(answer, NAME, (error) => ownMeaning([error.code, error.subcode ?? 0], error.words));
}

/** Converts the error of a phase to a failure. It has a code or only a message. With any error, nothing was posted. */
export function failureOfPhase(code: number, words: string): Failure {
  const known = ownMeaning([code], words);
  const said = words && ` It said: ${words}`;
  const platformCode = code ? { platformCode: String(code) } : {};
  return {
    ...(known ?? { kind: 'rejected', what: 'video', detail: `Facebook could not process this video.${said}` }),
    ...platformCode,
  };
}

/** Converts an error of the token endpoint; most are faults of the app's configuration. Never throws. */
export function tokenFailure(answer: HttpAnswer): Failure {
  return graphFailure(answer, NAME, (error) => {
    const { code, subcode, words } = error;
    if (subcode === 36_007 || subcode === 36_009 || code === 190)
      return { kind: 'reconnect', detail: 'Facebook no longer accepts this connection. Connect the account again.' };
    if (code === 100 || code === 101 || (code === 1 && isAboutSecret(error)))
      return { kind: 'setup', detail: `Facebook refused the application's request (${error.name}). ${words}`.trim() };
    return null;
  });
}

function isAboutSecret({ words }: GraphError): boolean {
  return /secret/i.test(words);
}

/** Why the upload host did not accept a transfer. */
export type TransferRefusal =
  /** Facebook's offset differs from ours. */
  | { is: 'stray' }
  /** This upload cannot complete. */
  | { is: 'lost'; words: string }
  | { is: 'token' }
  | { is: 'other'; failure: Failure };

/** Parses a response of the upload host, which has its own error format. Never throws. */
export function transferRefusal(answer: HttpAnswer): TransferRefusal {
  const refusal = uploadRefusal(answer);
  if (!refusal) {
    const failure = failureOf(answer);
    return failure.kind === 'tokenExpired' ? { is: 'token' } : { is: 'other', failure };
  }
  if (/unauthori[sz]ed/i.test(refusal.words)) return { is: 'token' };
  if (refusal.type === 'OffsetInvalidError' || refusal.type === 'PartialRequestError') return { is: 'stray' };
  if (refusal.type === 'ProcessingFailedError') return { is: 'lost', words: refusal.words };
  const detail = `Facebook's upload host answered ${refusal.type || answer.status}.`;
  return { is: 'other', failure: { kind: 'transient', detail, status: answer.status } };
}

/** Error numbers for video problems. They appear as code or as subcode. */
export const VIDEO_FLAWS: Readonly<Record<number, string>> = {
  1363040: 'its shape',
  1363127: 'its picture size',
  1363128: 'its length',
  1363129: 'its frame rate',
};

function ownMeaning(numbers: readonly number[], words: string): Failure | null {
  const [code] = numbers;
  const said = words && ` It said: ${words}`;
  for (const number of numbers) {
    const flaw = VIDEO_FLAWS[number];
    if (flaw) return { kind: 'rejected', what: 'video', detail: `Facebook cannot take this video: ${flaw}.${said}` };
    const known = meaningOf(number, said);
    if (known) return known;
  }
  // This error has no number of its own.
  if (code === 100 && /permission to publish/i.test(words))
    return { kind: 'rejected', what: 'permission', detail: 'The connection may not publish videos on this Page.' };
  return null;
}

function meaningOf(number: number, said: string): Failure | null {
  switch (number) {
    case 1363030:
    case 1363047:
    case 1609010:
      return { kind: 'transient', detail: `Facebook's upload service had a passing trouble (${number}).` };
    case 1346003:
    case 1404102:
      return {
        kind: 'rejected',
        what: 'policy',
        detail: `Facebook refused the post by its community standards.${said}`,
      };
    case 1404082:
      return { kind: 'rejected', what: 'duplicate', detail: 'Facebook was given the same content before.' };
    case 1390008:
      return {
        kind: 'rateLimited',
        waitMs: 12 * HOUR_MS,
        scope: 'account',
        window: 'daily',
        detail: 'Facebook finds that this Page posts too fast.',
      };
    case 1404078:
      return { kind: 'setup', detail: 'The Page needs "Page publishing authorization": see to it on Facebook.' };
    case 1404006:
    case 1404112:
    case 4854002:
      return { kind: 'setup', detail: `Facebook wants something of the Page's owner: see to it on Facebook.${said}` };
    default:
      return null;
  }
}
