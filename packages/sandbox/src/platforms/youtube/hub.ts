/** The hub that announces new and edited videos (W3C WebSub; developers.google.com, "Subscribe to push notifications"). */
import { createHmac, randomBytes } from 'node:crypto';
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { escapeHtml } from '../../http/pages.ts';
import { SECOND } from '../../time.ts';
import type { Video } from './records.ts';

const TOPIC = /^https:\/\/www\.youtube\.com\/(?:xml\/)?feeds\/videos\.xml\?channel_id=(UC[\w-]{22})$/;
const MAX_LEASE_SECONDS = 864_000;
const MAX_SECRET_BYTES = 200;

/** Kind `subscription`, keyed by callback URL, owned by the channel id. */
export interface HubSubscription {
  callback: string;
  topic: string;
  secret: string;
  /** In ms since the epoch. */
  expiresAt: number;
}

/** Accepts a request at once, and verifies the callback URL afterwards. */
export async function subscribe(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const form = await request.form();
  const [callback, topic, mode, secret, seconds] = ['callback', 'topic', 'mode', 'secret', 'lease_seconds'].map(
    (name) => form.get(`hub.${name}`) ?? '',
  ) as [string, string, string, string, string];
  const channelId = TOPIC.exec(topic)?.[1];
  const isValid =
    channelId !== undefined &&
    /^https?:$/.test(URL.parse(callback)?.protocol ?? '') &&
    ['subscribe', 'unsubscribe'].includes(mode) &&
    Buffer.byteLength(secret) < MAX_SECRET_BYTES;
  if (!isValid) return { status: 400, body: 'Invalid parameter' };
  const lease = Math.min(Number(seconds) || MAX_LEASE_SECONDS, MAX_LEASE_SECONDS);
  const verify = async () => {
    const challenge = randomBytes(16).toString('hex');
    const url = new URL(callback);
    const query = { topic, challenge, mode, lease_seconds: String(lease) };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(`hub.${name}`, value);
    const response = await options.callback?.(url.href, { method: 'GET', headers: {} });
    if (response?.status !== 200 || response.text !== challenge) return;
    if (mode === 'unsubscribe') return options.store.remove('subscription', callback);
    const expiresAt = options.now() + lease * SECOND;
    await options.store.put<HubSubscription>(
      'subscription',
      callback,
      { callback, topic, secret, expiresAt },
      channelId,
    );
  };
  // A callback URL that does not respond is not subscribed.
  verify().catch(() => {});
  return { status: 202 };
}

/** Sends a new or edited public video to the channel's subscribers. */
export async function announceVideo(options: SimulatorOptions, video: Video): Promise<void> {
  if (video.metadata.privacyStatus !== 'public' || !options.callback) return;
  const known = await options.store.list<HubSubscription>('subscription', { owner: video.channelId, limit: 1_000 });
  for (const { callback, secret, expiresAt } of known.map(({ value }) => value)) {
    if (expiresAt <= options.now()) continue;
    const body = feedOf(video, options.now());
    const signature = `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`;
    const headers = { 'content-type': 'application/atom+xml', 'x-hub-signature': signature };
    await options.callback(callback, { method: 'POST', headers, body }).catch(() => {});
  }
}

function feedOf({ id, channelId, channelTitle, metadata, createdAt }: Video, now: number): string {
  const [published, updated] = [createdAt, now].map((ms) => new Date(ms).toISOString().replace('Z', '+00:00'));
  return `<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns="http://www.w3.org/2005/Atom"><link rel="hub" href="https://pubsubhubbub.appspot.com"/><link rel="self" href="https://www.youtube.com/xml/feeds/videos.xml?channel_id=${channelId}"/><title>YouTube video feed</title><updated>${updated}</updated><entry>
  <id>yt:video:${id}</id>
  <yt:videoId>${id}</yt:videoId>
  <yt:channelId>${channelId}</yt:channelId>
  <title>${escapeHtml(metadata.title)}</title>
  <link rel="alternate" href="https://www.youtube.com/watch?v=${id}"/>
  <author>
   <name>${escapeHtml(channelTitle)}</name>
   <uri>https://www.youtube.com/channel/${channelId}</uri>
  </author>
  <published>${published}</published>
  <updated>${updated}</updated>
 </entry></feed>
`;
}
