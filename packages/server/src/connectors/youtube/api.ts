/** A minimal client for the YouTube Data API v3, and the channel of a token. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Json, Session, Tokens } from '../contract.ts';
import { platformNow } from '../kit/clock.ts';
import { rejected, transient } from '../kit/failures.ts';
import { at, listAt, textAt } from '../kit/json.ts';
import { LIST_BYTES } from '../kit/pages.ts';
import { bearer } from '../kit/requests.ts';
import { failureOf } from './classify.ts';
import { capabilities, shortUploads } from './limits.ts';
import { say } from './messages.ts';

/**
 * Calls a list method of the Data API v3 (1 of 10,000 quota units per day).
 * @returns the body, its items, and the offset of YouTube's clock to ours in ms (positive: ahead)
 * @throws PlatformError
 */
export async function list(
  caller: Pick<Session, 'http' | 'endpoints' | 'secret' | 'now'>,
  what: 'channels' | 'videos' | 'playlistItems',
  query: Record<string, string>,
): Promise<{ body: Json; items: readonly unknown[]; aheadMs: number }> {
  const response = await caller.http({
    method: 'GET',
    url: `${caller.endpoints.api}/youtube/v3/${what}?${new URLSearchParams(query)}`,
    headers: bearer(caller.secret),
    maxResponseBytes: LIST_BYTES,
  });
  const now = caller.now();
  if (response.status !== 200) throw new PlatformError(failureOf(response, now));
  const body = response.json();
  // An empty list may omit `items`. A body that is not a list response proves nothing.
  if (!Array.isArray(at(body, 'items')) && !textAt(body, 'kind').endsWith('ListResponse'))
    throw new PlatformError(transient(say('response_incomplete')));
  return { body, items: listAt(body, 'items'), aheadMs: platformNow(response, now) - now };
}

/** Reads the channel of a token, which has at most one. @throws PlatformError `rejected` if it has none */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const caller = { ...context, secret: tokens.secret };
  const query = { part: 'snippet,contentDetails,status', mine: 'true' };
  const [channel] = (await list(caller, 'channels', query)).items;
  const remoteId = textAt(channel, 'id');
  if (!remoteId) throw new PlatformError(rejected('permission', say('channel_missing')));
  const name = textAt(channel, 'snippet', 'title') || remoteId;
  const pictures = ['medium', 'high', 'default'].map((size) => textAt(channel, 'snippet', 'thumbnails', size, 'url'));
  return {
    remoteId,
    username: textAt(channel, 'snippet', 'customUrl').replace(/^@/, '') || name,
    displayName: name,
    avatarUrl: pictures.find(Boolean) ?? '',
    capabilities: textAt(channel, 'status', 'longUploadsStatus') === 'allowed' ? capabilities : shortUploads,
    extra: { uploads: textAt(channel, 'contentDetails', 'relatedPlaylists', 'uploads') },
  };
}
