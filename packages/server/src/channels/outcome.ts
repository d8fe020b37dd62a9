/** What a response to a message means for its channel. Pure. */
import { DAY, SECOND } from '../lib/time.ts';
import { sayChannel } from '../messages/channels.ts';
import type { Message } from '../messages/message.ts';
import type { HttpResponse } from '../outbound/http-client.ts';
import { isClosed } from '../outbound/no-response.ts';
import type { ChannelKind } from './kinds.ts';

export type Outcome =
  | { kind: 'sent' }
  /** The device no longer exists. */
  | { kind: 'gone' }
  /** The address is wrong or blocked: nothing changes by trying again. */
  | { kind: 'refused'; failure: Message }
  /** @property afterMs what the server asked for; null: nothing */
  | { kind: 'later'; failure: Message; afterMs: number | null };

/** Longest pause that a server may ask for, in ms: facts are given up after a day anyway. */
const MAX_ASKED_MS = DAY / 2;

/**
 * A push service answers 404 or 410 for a subscription that ended (RFC 8030, 7.3). The others answer 401, 403 or 404 for a
 * wrong or deleted address, Slack also 410 for an archived channel, and Telegram 400 for an unknown chat.
 * @param now ms since the epoch
 */
export function outcomeOf(
  { kind, host }: { kind: ChannelKind; host: string },
  response: Pick<HttpResponse, 'status' | 'headers' | 'tryJson'>,
  now: number,
): Outcome {
  const { status } = response;
  if (status >= 200 && status < 300) return { kind: 'sent' };
  const shown = { host, status: String(status) };
  if (kind === 'push' && (status === 404 || status === 410)) return { kind: 'gone' };
  if ([401, 403, 404, 410].includes(status) || (kind === 'telegram' && status === 400))
    return { kind: 'refused', failure: sayChannel('refused', shown) };
  const afterMs = askedPause(response, now);
  if (status === 429) return { kind: 'later', failure: sayChannel('limited', { host }), afterMs };
  if (status >= 300 && status < 400) return { kind: 'later', failure: sayChannel('redirected', { host }), afterMs };
  return { kind: 'later', failure: sayChannel('failing', shown), afterMs };
}

/** Reasons of the guard: the address itself may not be used. */
const GUARDED = ['private_address', 'not_https', 'port', 'address'];

/** @param reason of the network error */
export function unreachable(host: string, reason: string): Outcome {
  if (GUARDED.includes(reason)) return { kind: 'refused', failure: sayChannel('not_public', { host }) };
  const failure = isClosed({ reason }) ? sayChannel('closed', { host }) : sayChannel('unreachable', { host, reason });
  return { kind: 'later', failure, afterMs: null };
}

/** `Retry-After` (RFC 9110, 10.2.3), or what Telegram (`parameters.retry_after`) and Discord (`retry_after`) write. */
function askedPause({ headers, tryJson }: Pick<HttpResponse, 'headers' | 'tryJson'>, now: number): number | null {
  const header = headers['retry-after']?.trim() ?? '';
  const body = tryJson();
  const asked = [/^\d+(?:\.\d+)?$/.test(header) ? Number(header) * SECOND : Date.parse(header) - now, inBody(body)];
  const pauses = asked.filter((ms) => Number.isFinite(ms) && ms > 0);
  return pauses.length === 0 ? null : Math.min(Math.max(...pauses), MAX_ASKED_MS);
}

function inBody(body: unknown): number {
  if (typeof body !== 'object' || body === null) return Number.NaN;
  const { retry_after: own, parameters } = body as { retry_after?: unknown; parameters?: unknown };
  const asked = own ?? (parameters as { retry_after?: unknown } | null | undefined)?.retry_after;
  return typeof asked === 'number' ? asked * SECOND : Number.NaN;
}
