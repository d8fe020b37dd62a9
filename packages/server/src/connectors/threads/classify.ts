/** Maps Threads' own error codes to failures, on top of the Graph API's, and classifies container errors. */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { DAY } from '../../time.ts';
import { rateLimited, reconnect, rejected, setup, transient } from '../kit/failures.ts';
import { type GraphError, graphFailure } from '../kit/graph.ts';
import { textAt } from '../kit/json.ts';
import { noLongerAccepted } from '../kit/oauth.ts';
import { tameWords } from '../kit/words.ts';

const NAME = 'Threads';
const NOT_FOUND_WAIT_MS = 30_000;

/** Converts an error response to a {@link Failure}. Never throws. */
export function failureOf(response: HttpResponse): Failure {
  return graphFailure(response, NAME, ownMeaning);
}

/** Converts an error of the code exchange, which has its own format or the Graph API's. Never throws. */
export function exchangeFailure(response: HttpResponse): Failure {
  const words = tameWords(textAt(response.tryJson(), 'error_message'));
  if (!words) return tokenFailure(response);
  const known = { status: response.status, platformCode: textAt(response.tryJson(), 'code') || 'OAuthException' };
  if (/authori[sz]ation code|code has been used|verification code has expired/i.test(words))
    return { ...reconnect(`Threads did not take the consent: ${words}. Connect again.`), ...known };
  return { ...setup(`Threads refused the application's request. ${words}`), ...known };
}

/** Converts an error of the endpoints that exchange or refresh tokens. Never throws. */
export function tokenFailure(response: HttpResponse): Failure {
  return graphFailure(response, NAME, ({ code, name, words }) => {
    if (code === 190 || code === 102) return noLongerAccepted(NAME);
    if (code === 101 || code === 100 || (code === 1 && /secret/i.test(words)))
      return setup(`Threads refused the application's request (${name}). ${words}`.trim());
    return null;
  });
}

function ownMeaning({ code, subcode, words }: GraphError): Failure | null {
  const said = words && ` It said: ${words}`;
  const numbers = [code, subcode];
  if (numbers.includes(4_279_013)) return setup(`Threads has restricted this profile: see to it in the app.${said}`);
  if (subcode === 2_207_051) return rejected('policy', `Threads blocked the post as spam.${said}`);
  if (code === 9) return USED_UP;
  if (code === 24 || numbers.includes(4_279_009))
    return transient('Threads does not find what it has made yet.', NOT_FOUND_WAIT_MS);
  if (code === 100 && subcode === null && /\btext\b|character/i.test(words))
    return rejected('caption', `Threads refused the text.${said}`);
  return null;
}

const USED_UP = rateLimited('account', 'daily', DAY, 'The posts that Threads allows in a day are used up.');

/** Why a container failed. */
export type ContainerEnd =
  /** Threads could not fetch our URL; another container may succeed. */
  | { is: 'unfetched' }
  /** Worth one retry. */
  | { is: 'once'; failure: Failure }
  | { is: 'final'; failure: Failure };

const FLAWS: readonly (readonly [part: string, flaw: string])[] = [
  // This misspelling is Threads' own.
  ['ASPEC', 'its shape'],
  ['BIT_RATE', 'its bit rate'],
  ['BITRATE', 'its bit rate'],
  ['DURATION', 'its length'],
  ['FRAME_RATE', 'its frame rate'],
  ['AUDIO_CHANNEL', 'its sound channels'],
];

/** Classifies a container's `error_message`. Matches substrings, because the spelling varies. */
export function containerEnd(message: string): ContainerEnd {
  const word = tameWords(message).slice(0, 100);
  const known = word ? { platformCode: word } : {};
  if (/DOWNLOAD/i.test(word)) return { is: 'unfetched' };
  const [, flaw] = FLAWS.find(([part]) => word.toUpperCase().includes(part)) ?? [];
  const unfit = (detail: string): Failure => ({ ...rejected('video', detail), ...known });
  if (flaw) return { is: 'final', failure: unfit(`Threads cannot take this video: ${flaw}.`) };
  if (/^INVALID/i.test(word)) return { is: 'final', failure: unfit(`Threads cannot take this video (${word}).`) };
  return { is: 'once', failure: unfit(`Threads could not process the video${word ? ` (${word})` : ''}.`) };
}
