/** Maps Facebook's own error codes to failures, on top of the Graph API's ("Reels Publishing", "Handling errors"). */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { HOUR } from '../../time.ts';
import { type ErrorRow, findFailure } from '../kit/classify.ts';
import { rateLimited, rejected, setup, transient } from '../kit/failures.ts';
import { type GraphError, graphFailure, uploadRefusal } from '../kit/graph.ts';
import { noLongerAccepted } from '../kit/oauth.ts';

const NAME = 'Facebook';

/** Converts an error response of the Graph API to a {@link Failure}. Never throws. */
export function failureOf(response: HttpResponse): Failure {
  return graphFailure(response, NAME, (error) => ownMeaning([error.code, error.subcode ?? 0], error.words));
}

/** Converts the error of a phase to a failure. It has a code or only a message. With any error, nothing was posted. */
export function failureOfPhase(code: number, words: string): Failure {
  const known = ownMeaning([code], words);
  const said = words && ` It said: ${words}`;
  const platformCode = code ? { platformCode: String(code) } : {};
  return {
    ...(known ?? rejected('video', `Facebook could not process this video.${said}`)),
    ...platformCode,
  };
}

/** Converts an error of the token endpoint; most are faults of the app's configuration. Never throws. */
export function tokenFailure(response: HttpResponse): Failure {
  return graphFailure(response, NAME, (error) => {
    const { code, subcode, words } = error;
    if (subcode === 36_007 || subcode === 36_009 || code === 190) return noLongerAccepted(NAME);
    if (code === 100 || code === 101 || (code === 1 && isAboutSecret(error)))
      return setup(`Facebook refused the application's request (${error.name}). ${words}`.trim());
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
export function transferRefusal(response: HttpResponse): TransferRefusal {
  const refusal = uploadRefusal(response);
  if (!refusal) {
    const failure = failureOf(response);
    return failure.kind === 'tokenExpired' ? { is: 'token' } : { is: 'other', failure };
  }
  if (/unauthori[sz]ed/i.test(refusal.words)) return { is: 'token' };
  if (refusal.type === 'OffsetInvalidError' || refusal.type === 'PartialRequestError') return { is: 'stray' };
  if (refusal.type === 'ProcessingFailedError') return { is: 'lost', words: refusal.words };
  const detail = `Facebook's upload host answered ${refusal.type || response.status}.`;
  return { is: 'other', failure: { kind: 'transient', detail, status: response.status } };
}

/** Error numbers for video problems. They appear as code or as subcode. */
export const VIDEO_FLAWS: Readonly<Record<number, string>> = {
  1363040: 'its shape',
  1363127: 'its picture size',
  1363128: 'its length',
  1363129: 'its frame rate',
};

const NUMBERS: readonly ErrorRow[] = [
  {
    code: Object.keys(VIDEO_FLAWS),
    failure: ({ code, said }) =>
      rejected('video', `Facebook cannot take this video: ${VIDEO_FLAWS[Number(code)]}.${said}`),
  },
  {
    code: ['1363030', '1363047', '1609010'],
    failure: ({ code }) => transient(`Facebook's upload service had a passing trouble (${code}).`),
  },
  {
    code: ['1346003', '1404102'],
    failure: ({ said }) => rejected('policy', `Facebook refused the post by its community standards.${said}`),
  },
  { code: '1404082', failure: rejected('duplicate', 'Facebook was given the same content before.') },
  {
    code: '1390008',
    failure: rateLimited('account', 'daily', 12 * HOUR, 'Facebook finds that this Page posts too fast.'),
  },
  {
    code: '1404078',
    failure: setup('The Page needs "Page publishing authorization": see to it on Facebook.'),
  },
  {
    code: ['1404006', '1404112', '4854002'],
    failure: ({ said }) => setup(`Facebook wants something of the Page's owner: see to it on Facebook.${said}`),
  },
];

/** @param numbers the code, and the subcode if there is one */
function ownMeaning(numbers: readonly number[], words: string): Failure | null {
  for (const number of numbers) {
    const known = findFailure(NUMBERS, { code: String(number), message: words });
    if (known) return known;
  }
  // This error has no number of its own.
  return numbers[0] === 100 && /permission to publish/i.test(words)
    ? rejected('permission', 'The connection may not publish videos on this Page.')
    : null;
}
