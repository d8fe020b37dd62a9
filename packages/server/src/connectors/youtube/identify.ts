import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Tokens } from '../contract.ts';
import { at, textAt } from '../kit/json.ts';
import { list } from './api.ts';
import { capabilities, SHORT_UPLOADS_SECONDS } from './limits.ts';

/**
 * Reads the token's channel (`channels.list` with `mine`). Each token has exactly one channel.
 * @throws PlatformError `rejected` if the Google account has no channel
 */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const caller = { http: context.http, endpoints: context.endpoints, secret: tokens.secret, now: context.now };
  const { items } = await list(caller, 'channels', { part: 'snippet,contentDetails,status', mine: 'true' });
  const [channel] = items;
  const remoteId = textAt(channel, 'id');
  if (!remoteId)
    throw new PlatformError({
      kind: 'rejected',
      what: 'permission',
      detail: 'This Google account has no YouTube channel. Make one on YouTube, then connect again.',
    });
  const title = textAt(channel, 'snippet', 'title');
  const long = textAt(channel, 'status', 'longUploadsStatus') === 'allowed';
  const { video } = capabilities;
  return {
    remoteId,
    username: textAt(channel, 'snippet', 'customUrl').replace(/^@/, '') || title || remoteId,
    displayName: title || remoteId,
    avatarUrl: pictureOf(channel),
    capabilities: long ? capabilities : { ...capabilities, video: { ...video, maxSeconds: SHORT_UPLOADS_SECONDS } },
    extra: { uploads: textAt(channel, 'contentDetails', 'relatedPlaylists', 'uploads') },
  };
}

function pictureOf(channel: unknown): string {
  const thumbnails = at(channel, 'snippet', 'thumbnails');
  return ['medium', 'high', 'default'].map((size) => textAt(thumbnails, size, 'url')).find(Boolean) ?? '';
}
