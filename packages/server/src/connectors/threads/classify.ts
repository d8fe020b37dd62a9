/** Maps Threads' own error codes to failures, on top of the Graph API's, and classifies container errors. */

import { DAY, SECOND } from '../../lib/time.ts';
import { type FlawName, flaw } from '../../messages/media.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { rateLimited, reconnect, rejected, setup, transient, withWords } from '../kit/failures.ts';
import { type GraphError, graphFailure, graphTokenFailure } from '../kit/graph.ts';
import { GONE } from '../kit/graph-api.ts';
import { textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';
import { say } from './messages.ts';

const NAME = 'Threads';
const NOT_FOUND_WAIT_MS = 30 * SECOND;

/** Converts an error response to a {@link Failure}. Never throws. */
export function failureOf(response: HttpResponse): Failure {
  return graphFailure(response, NAME, ownMeaning);
}

/** Converts an error of the code exchange, which has its own format or the Graph API's. Never throws. */
export function exchangeFailure(response: HttpResponse): Failure {
  const body = response.tryJson();
  const words = tameWords(textAt(body, 'error_message'));
  if (!words) return tokenFailure(response);
  const code = textAt(body, 'code') || 'OAuthException';
  const isCode = /authori[sz]ation code|code has been used|verification code has expired/i.test(words);
  const failure = isCode ? reconnect(say('consent_rejected')) : setup(say('app_rejected', { code }));
  return { ...withWords(failure, words), status: response.status, platformCode: code };
}

/** Converts an error of the endpoints that exchange or refresh tokens. Never throws. */
export function tokenFailure(response: HttpResponse): Failure {
  return graphTokenFailure(response, NAME, ({ code }) => code === 190 || code === 102);
}

/** The URL could not be fetched, as the creation of a container reports it. */
const UNFETCHED = 2_207_052;

/** "Media Not Found": the container cannot be published any more, even if it was finished. */
function isLost({ code, subcode }: Pick<GraphError, 'code' | 'subcode'>): boolean {
  return code === 24 || code === 4_279_009 || subcode === 4_279_009;
}

/** Whether the creation of a container failed because our URL could not be fetched. */
export function isUnfetched({ platformCode = '' }: Failure): boolean {
  return platformCode.endsWith(`/${UNFETCHED}`);
}

/**
 * What an error of a container's status says: `lost` if the container does not exist, `gone` if Threads does not show
 * it or shows something else; null for any other error.
 */
export function missingNode({ platformCode = '', detail }: Failure): 'lost' | 'gone' | null {
  const [code = 0, subcode = null] = platformCode.split('/').map(Number);
  if (isLost({ code, subcode })) return 'lost';
  const isOther = code === 100 && /nonexisting field \(status\)/i.test(detail.text);
  return platformCode === GONE || isOther ? 'gone' : null;
}

function ownMeaning({ code, subcode, words }: GraphError): Failure | null {
  const codes = [code, subcode];
  if (codes.includes(4_279_013)) return setup(say('account_restricted'));
  if (subcode === 2_207_051) return rejected('policy', say('spam_rejected'));
  if (code === 9) return rateLimited('account', 'daily', DAY, say('daily_limit'));
  if (subcode === UNFETCHED) return transient(say('video_not_fetched'));
  if (isLost({ code, subcode })) return transient(say('container_unknown'), NOT_FOUND_WAIT_MS);
  if (/LINK_LIMIT/.test(words)) return rejected('caption', say('too_many_links', { limit: 5 }));
  if (code === 100 && subcode === null && /\btext\b|character/i.test(words))
    return rejected('caption', say('text_rejected'));
  return null;
}

/**
 * Why a container failed. `unfetched`: Threads could not fetch our URL; another container may succeed. `once`: worth one
 * retry.
 */
export type ContainerEnd = { is: 'unfetched' } | { is: 'once' | 'final'; failure: Failure };

const FLAWS: readonly (readonly [part: string, flaw: FlawName])[] = [
  // This misspelling is Threads' own.
  ['ASPEC', 'aspect_ratio'],
  ['BIT_RATE', 'bitrate'],
  ['BITRATE', 'bitrate'],
  ['DURATION', 'duration'],
  ['FRAME_RATE', 'frame_rate'],
  ['AUDIO_CHANNEL', 'audio_channels'],
];

/** Classifies a container's `error_message`. Matches substrings, because the spelling varies. */
export function containerEnd(message: string): ContainerEnd {
  const code = tameWords(message).slice(0, 100);
  if (/DOWNLOAD/i.test(code)) return { is: 'unfetched' };
  const [, name] = FLAWS.find(([part]) => code.toUpperCase().includes(part)) ?? [];
  const isFinal = name !== undefined || /^INVALID/i.test(code);
  const reason = name
    ? say('video_rejected_for', { flaw: flaw(name) })
    : say(isFinal ? 'video_rejected' : /^(UNKNOWN)?$/i.test(code) ? 'failed_without_reason' : 'video_not_processed');
  const failure = withWords(rejected('video', reason), name ? '' : code);
  return { is: isFinal ? 'final' : 'once', failure: { ...failure, ...(code ? { platformCode: code } : {}) } };
}
