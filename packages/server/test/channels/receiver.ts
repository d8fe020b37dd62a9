/** Receives messages of channels on 127.0.0.1, as push services and chats would. It decrypts those for browsers itself. */
import { createDecipheriv, createECDH, createHmac, createPublicKey, type ECDH, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

export interface Receiver {
  url: string;
  /** With the port. */
  host: string;
  requests: Received[];
  /** Answers these paths; all others get 200. @param reply null: 200 again */
  answer(path: string, reply: Reply | null): void;
  /** The requests to a path so far, which are forgotten. */
  take(path: string): Received[];
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const requests: Received[] = [];
  const replies = new Map<string, Reply>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '';
    requests.push({ method: request.method ?? '', path, headers: request.headers, body: Buffer.concat(chunks) });
    const { status, headers, body = '' } = replies.get(path) ?? { status: 200 };
    response.writeHead(status, headers).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    requests,
    answer: (path, reply) => void (reply ? replies.set(path, reply) : replies.delete(path)),
    take(path) {
      const taken = requests.filter((each) => each.path === path);
      requests.splice(0, requests.length, ...requests.filter((each) => each.path !== path));
      return taken;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What a browser keeps secret, and the keys that it gives away. */
export interface Browser {
  keys: { p256dh: string; auth: string };
  /** @throws Error if the message is not for this browser */
  decrypt(body: Buffer): Buffer;
}

export function createBrowser(): Browser {
  const pair = createECDH('prime256v1');
  const p256dh = pair.generateKeys().toString('base64url');
  const auth = randomBytes(16);
  return { keys: { p256dh, auth: auth.toString('base64url') }, decrypt: (body) => decrypt(body, pair, auth) };
}

/** RFC 8291, 3.4, and RFC 8188, 2, step by step. */
function decrypt(body: Buffer, pair: ECDH, auth: Buffer): Buffer {
  const hmac = (key: Buffer, ...parts: (Buffer | string)[]) => {
    const made = createHmac('sha256', key);
    for (const part of parts) made.update(part);
    return made.digest();
  };
  const idLength = body.readUInt8(20);
  const salt = body.subarray(0, 16);
  if (idLength !== 65) throw new Error('The key id is not a point.');
  const senderKey = body.subarray(21, 21 + idLength);
  const record = body.subarray(21 + idLength);
  if (record.length > body.readUInt32BE(16)) throw new Error('There is more than one record.');
  const combined = hmac(auth, pair.computeSecret(senderKey));
  const secret = hmac(combined, 'WebPush: info\0', pair.getPublicKey(), senderKey, Buffer.of(1));
  const prk = hmac(salt, secret);
  const key = hmac(prk, 'Content-Encoding: aes128gcm\0', Buffer.of(1)).subarray(0, 16);
  const nonce = hmac(prk, 'Content-Encoding: nonce\0', Buffer.of(1)).subarray(0, 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error('The last record has a wrong delimiter.');
  return padded.subarray(0, end);
}

/** The claims of a signature (RFC 8292), which is verified. @returns also the key, as browsers subscribe with it */
export function verifyVapid(authorization: string): { claims: Record<string, unknown>; key: string } {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
  const isValid = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isValid) throw new Error('The signature is wrong.');
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString()), key };
}
