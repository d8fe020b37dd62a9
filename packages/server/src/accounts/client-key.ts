import { createHash, generateKeyPairSync } from 'node:crypto';
import type { JsonObject } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import type { Sealer } from '../seal.ts';

const PURPOSE = 'client key';

/**
 * Returns the service's signing key as a private JWK (P-256, ES256). It is created at first use, shared by all nodes,
 * and survives a change of SECRET_KEY. Its `kid` is its thumbprint (RFC 7638). Index: primary key of platform_app.
 */
export async function clientKey({ db, sealer }: { db: Database; sealer: Sealer }): Promise<JsonObject> {
  const read = async () => {
    const [row] = await db.query<{ sealed: Buffer }>(
      "select sealed from platform_app where platform = '' and service = 'client-key'",
    );
    return row ? sealer.open<JsonObject>(row.sealed, PURPOSE) : null;
  };
  const known = await read();
  if (known) return known;
  const made = makeKey();
  await db.execute(
    "insert into platform_app (platform, service, sealed) values ('', 'client-key', $1) on conflict do nothing",
    [sealer.seal(made, PURPOSE)],
  );
  // Another node may have inserted its key first; that one wins.
  return (await read()) ?? made;
}

function makeKey(): JsonObject {
  const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const { crv, kty, x, y } = jwk;
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return { ...jwk, kid, alg: 'ES256', use: 'sig' } as JsonObject;
}
