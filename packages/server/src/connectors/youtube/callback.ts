/**
 * Notifications of new and edited videos by WebSub (W3C WebSub; developers.google.com, "Subscribe to push
 * notifications"). They may be lost or repeated.
 */
import { DAY, SECOND } from '../../lib/time.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { PushCallback } from '../contract.ts';
import { transient } from '../kit/failures.ts';
import { withNetworkFailures } from '../kit/network-failures.ts';
import { hasSignature } from '../kit/signatures.ts';
import { say } from './messages.ts';

const HUB = 'https://pubsubhubbub.appspot.com';
/** The hub's maximum, in seconds. */
const LEASE_SECONDS = 864_000;

export const callback: PushCallback = {
  async request({ http, settings, remoteId, url, secret }, mode) {
    const hub = settings.hubUrl ?? HUB;
    if (hub === 'off') return false;
    const response = await withNetworkFailures(http)({
      method: 'POST',
      url: `${hub}/subscribe`,
      form: {
        'hub.callback': url,
        'hub.topic': topicOf(remoteId),
        'hub.mode': mode,
        'hub.verify': 'async',
        'hub.secret': secret,
        'hub.lease_seconds': String(LEASE_SECONDS),
      },
    });
    const { status } = response;
    if (status < 200 || status > 299)
      throw new PlatformError({ ...transient(say('response_malformed', { status: String(status) })), status });
    return true;
  },
  readQuestion(query, { remoteId }) {
    const mode = query.get('hub.mode');
    const answer = query.get('hub.challenge') ?? '';
    const seconds = Number(query.get('hub.lease_seconds') ?? LEASE_SECONDS);
    if (
      (mode !== 'subscribe' && mode !== 'unsubscribe') ||
      answer === '' ||
      query.get('hub.topic') !== topicOf(remoteId)
    )
      return null;
    const leaseMs = seconds > 0 ? Math.min(seconds * SECOND, 10 * DAY) : DAY;
    return { mode, answer, leaseMs };
  },
  // Sent instead of a newer algorithm, because YouTube's hub is older than WebSub.
  isSigned: ({ headers, body }, secret) =>
    hasSignature(headers['x-hub-signature'], body, secret, { algorithm: 'sha1', prefix: 'sha1=', encoding: 'hex' }),
  announces: ({ body }, { remoteId }) => body.includes(`<yt:channelId>${remoteId}</yt:channelId>`),
};

function topicOf(channelId: string): string {
  return `https://www.youtube.com/xml/feeds/videos.xml?channel_id=${channelId}`;
}
