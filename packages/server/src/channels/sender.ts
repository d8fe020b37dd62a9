/** Sends a message to a channel. Every request passes the address guard, and no redirect is followed. */
import type { Database } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import { DAY, SECOND } from '../lib/time.ts';
import { sayChannel } from '../messages/channels.ts';
import { type HttpClient, type HttpRequest, NetworkError } from '../outbound/http-client.ts';
import { type ChannelMessage, chatRequest } from './chat-requests.ts';
import { fit } from './fit.ts';
import type { ChannelKind, ChannelTarget, PushTarget } from './kinds.ts';
import { type Outcome, outcomeOf, unreachable } from './outcome.ts';
import { type VapidKey, vapidAuthorization, vapidKey } from './vapid.ts';
import { encryptPush, MAX_PUSH_BYTES } from './web-push.ts';

export interface SenderDeps {
  db: Database;
  sealer: Sealer;
  http: HttpClient;
  /** Named to push services. */
  publicUrl: string;
  /** Origin of the Bot API. */
  botApi: string;
  /** ms since the epoch, as servers know it. */
  now(): number;
}

export interface Sender {
  /** Never rejects for a failure of the server. */
  send(channel: SealedChannel, message: ChannelMessage): Promise<Outcome>;
  /** The service's public key for browsers; null: it cannot be decrypted. */
  publicKey(): Promise<string | null>;
}

export interface SealedChannel {
  id: string;
  kind: ChannelKind;
  host: string;
  sealed: Buffer;
}

/** From the first byte to the complete response, in ms. */
const DEADLINE_MS = 10 * SECOND;
const MAX_RESPONSE_BYTES = 262_144;
/** How long a push service keeps a message for a device that is off, in seconds. */
const TTL_SECONDS = DAY / SECOND;
/** In UTF-16 units. Phones show less. */
const PUSH_BODY_LENGTH = 1_000;
const PUSH_TITLE_LENGTH = 100;

/** What the address of a channel is encrypted for. */
export const channelPurpose = (id: string): string => `channel ${id}`;

export function createSender(deps: SenderDeps): Sender {
  const { db, sealer, http, publicUrl, botApi, now } = deps;
  let key: VapidKey | null = null;
  const readKey = async () => {
    key ??= await vapidKey(db, sealer);
    return key;
  };
  const requestOf = async (target: ChannelTarget, message: ChannelMessage) =>
    target.kind === 'push'
      ? pushRequest(target, message, await readKey(), { subject: publicUrl, now: now() })
      : chatRequest(target, message, botApi);
  return {
    async send(channel, message) {
      const { kind, host } = channel;
      let request: Pick<HttpRequest, 'url' | 'headers' | 'json' | 'body'>;
      try {
        request = await requestOf(sealer.open<ChannelTarget>(channel.sealed, channelPurpose(channel.id)), message);
      } catch (error) {
        if (sealer.opens(channel.sealed, channelPurpose(channel.id))) throw error;
        return { kind: 'refused', failure: sayChannel('unreadable') };
      }
      try {
        const response = await http({
          method: 'POST',
          ...request,
          deadlineMs: DEADLINE_MS,
          maxResponseBytes: MAX_RESPONSE_BYTES,
        });
        return outcomeOf({ kind, host }, response, now());
      } catch (error) {
        if (error instanceof NetworkError) return unreachable(host, error.reason);
        throw error;
      }
    },
    publicKey: () =>
      readKey().then(
        ({ publicKey }) => publicKey,
        () => null,
      ),
  };
}

/** RFC 8030, 5: `TTL`, `Urgency`, and `Topic`, by which a newer message replaces one that is not delivered yet. */
function pushRequest(
  target: PushTarget,
  message: ChannelMessage,
  key: VapidKey,
  { subject, now }: { subject: string; now: number },
): Pick<HttpRequest, 'url' | 'headers' | 'body'> {
  const title = fit(message.title, PUSH_TITLE_LENGTH, ({ length }) => length);
  const payload = (body: string) => JSON.stringify({ ...message, title, body });
  const short = fit(message.body, PUSH_BODY_LENGTH, ({ length }) => length);
  const body = fit(short, MAX_PUSH_BYTES, (text) => Buffer.byteLength(payload(text)));
  return {
    url: target.url,
    headers: {
      authorization: vapidAuthorization(key, { endpoint: target.url, subject, now }),
      'content-encoding': 'aes128gcm',
      ttl: String(TTL_SECONDS),
      urgency: 'high',
      topic: message.tag,
    },
    body: { kind: 'bytes', bytes: encryptPush(Buffer.from(payload(body)), target), type: 'application/octet-stream' },
  };
}
