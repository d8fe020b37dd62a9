/**
 * The account's home timeline as a stream, which includes the account's own statuses (docs.joinmastodon.org, "Streaming
 * API methods"). It repeats nothing after a lost connection.
 */
import { withoutFinalSlashes } from '../../lib/text.ts';
import { parseJson } from '../../outbound/json.ts';
import type { AccountStream, Session, StreamMessage } from '../contract.ts';
import { listAt, textAt } from '../kit/json.ts';
import { withNetworkFailures } from '../kit/network-failures.ts';
import { bearer } from '../kit/requests.ts';
import { baseOf, describe } from './api.ts';

export const stream: AccountStream = {
  kind: 'account',
  async open(session) {
    const base = await streamingBase(session);
    return base ? { url: `${base}/api/v1/streaming/user`, headers: bearer(session.secret) } : null;
  },
  announces({ event, data }, { remoteId }) {
    // Most events are statuses of others.
    if (!['update', 'status.update'].includes(event) || !data.includes(remoteId)) return false;
    const status = statusIn(data);
    return textAt(status, 'account', 'id') === remoteId && listAt(status, 'media_attachments').length > 0;
  },
};

/** Returns the base URL of the streaming API, often on another host; "" if the server states none. */
async function streamingBase(session: Session): Promise<string> {
  const service = baseOf(session.endpoints, session.service);
  const instance = await describe(withNetworkFailures(session.http), service);
  const stated = textAt(instance, 'configuration', 'urls', 'streaming') || textAt(instance, 'urls', 'streaming_api');
  const url = URL.parse(stated.replace(/^ws/, 'http'));
  return url && /^https?:$/.test(url.protocol) ? withoutFinalSlashes(url.origin + url.pathname) : '';
}

function statusIn(data: StreamMessage['data']): unknown {
  try {
    return parseJson(data);
  } catch {
    return null;
  }
}
