/** The key by which push services recognize this service, and its signatures (RFC 8292, VAPID). */
import { createPrivateKey, generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto';
import type { Queryable } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import { HOUR, SECOND } from '../lib/time.ts';

export interface VapidKey {
  /** Uncompressed point, base64url: what a browser subscribes with. */
  publicKey: string;
  /** Private JWK (P-256). */
  jwk: JsonWebKey;
}

/** As the re-encryption of `platform_app` expects it. */
const PURPOSE = 'app  vapid-key';
/** Signatures may be valid for at most 24 hours (RFC 8292, 2). In ms. */
const VALID_MS = 12 * HOUR;

/**
 * The key of the service. It is created at first use and shared by all processes: another key would end all subscriptions.
 * Index: primary key of platform_app.
 * @throws Error when it cannot be decrypted with the current SECRET_KEY
 */
export async function vapidKey(db: Queryable, sealer: Sealer): Promise<VapidKey> {
  const read = async () => {
    const [row] = await db.query<{ sealed: Buffer }>(
      "select sealed from platform_app where platform = '' and service = 'vapid-key'",
    );
    return row && sealer.open<JsonWebKey>(row.sealed, PURPOSE);
  };
  const known = await read();
  if (known) return withPublicKey(known);
  const made = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  await db.execute(
    "insert into platform_app (platform, service, sealed) values ('', 'vapid-key', $1) on conflict do nothing",
    [sealer.seal(made, PURPOSE)],
  );
  // Another process may have inserted its key first; that one wins.
  return withPublicKey((await read()) ?? made);
}

function withPublicKey(jwk: JsonWebKey): VapidKey {
  const [x, y] = [jwk.x, jwk.y].map((part) => Buffer.from(part ?? '', 'base64url'));
  return { jwk, publicKey: Buffer.concat([Buffer.of(4), x ?? Buffer.of(), y ?? Buffer.of()]).toString('base64url') };
}

/**
 * The value of `Authorization` for one request.
 * @param endpoint URL of the subscription; the signature is valid for its origin
 * @param subject URL of this service, for the operators of push services @param now ms since the epoch
 */
export function vapidAuthorization(
  { jwk, publicKey }: VapidKey,
  { endpoint, subject, now }: { endpoint: string; subject: string; now: number },
): string {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor((now + VALID_MS) / SECOND), sub: subject };
  const encoded = [{ typ: 'JWT', alg: 'ES256' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const signed = encoded.join('.');
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
  return `vapid t=${signed}.${signature}, k=${publicKey}`;
}
