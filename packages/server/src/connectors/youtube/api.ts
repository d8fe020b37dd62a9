/** A minimal client for the YouTube Data API v3, and the channel of a token. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Json, Session, Tokens } from '../contract.ts';
import { platformNow } from '../kit/clock.ts';
import { rejected, transient } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { bearer } from '../kit/requests.ts';
import { failureOf } from './classify.ts';
import { capabilities, SHORT_UPLOADS_SECONDS } from './limits.ts';
import { say } from './messages.ts';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'secret' | 'now'>;

/**
 * Calls a list method of the Data API v3 (1 of 10,000 quota units per day).
 * @returns the body, its items (empty if absent), and the offset of YouTube's clock to ours in ms (positive: ahead)
 * @throws PlatformError
 */
export async function list(
  caller: Caller,
  what: 'channels' | 'videos' | 'playlistItems',
  query: Record<string, string>,
): Promise<{ body: Json; items: unknown[]; aheadMs: number }> {
  const response = await caller.http({
    method: 'GET',
    url: `${caller.endpoints.api}/youtube/v3/${what}?${new URLSearchParams(query)}`,
    headers: bearer(caller.secret),
  });
  if (response.status !== 200) throw new PlatformError(failureOf(response, caller.now()));
  const body = response.json();
  const items = at(body, 'items');
  const now = caller.now();
  const aheadMs = platformNow(response, now) - now;
  if (Array.isArray(items)) return { body, items, aheadMs };
  // An empty list may omit `items`. A body that is not a list response proves nothing.
  if (textAt(body, 'kind').endsWith('ListResponse')) return { body, items: [], aheadMs };
  throw new PlatformError(transient(say('response_incomplete')));
}

/**
 * Reads the token's channel (`channels.list` with `mine`). Each token has exactly one channel.
 * @throws PlatformError `rejected` if the Google account has no channel
 */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const caller = { ...context, secret: tokens.secret };
  const { items } = await list(caller, 'channels', { part: 'snippet,contentDetails,status', mine: 'true' });
  const [channel] = items;
  const remoteId = textAt(channel, 'id');
  if (!remoteId) throw new PlatformError(rejected('permission', say('channel_missing')));
  const title = textAt(channel, 'snippet', 'title');
  const isLong = textAt(channel, 'status', 'longUploadsStatus') === 'allowed';
  const { video } = capabilities;
  return {
    remoteId,
    username: textAt(channel, 'snippet', 'customUrl').replace(/^@/, '') || title || remoteId,
    displayName: title || remoteId,
    avatarUrl: pictureOf(channel),
    capabilities: isLong ? capabilities : { ...capabilities, video: { ...video, maxSeconds: SHORT_UPLOADS_SECONDS } },
    extra: { uploads: textAt(channel, 'contentDetails', 'relatedPlaylists', 'uploads') },
  };
}

function pictureOf(channel: unknown): string {
  const thumbnails = at(channel, 'snippet', 'thumbnails');
  return ['medium', 'high', 'default'].map((size) => textAt(thumbnails, size, 'url')).find(Boolean) ?? '';
}
