/**
 * Stores the applications at platforms: the operator's (the environment first, else the database), those that connectors
 * register at run time, and the service's own signing key. Stored values are encrypted.
 */
import { createHash, generateKeyPairSync } from 'node:crypto';
import type { App, ConnectContext, JsonObject } from '../../connectors/contract.ts';
import type { Database } from '../../db/database.ts';
import type { Sealer } from '../../lib/encryption/seal.ts';
import { serviceKey } from '../account-store.ts';

/** Applications from the environment. The id or the secret may be missing. */
export type GivenApps = Readonly<Record<string, { id?: string; secret?: string }>>;

export interface Apps {
  /** Finds an application by the name that connectors use. Returns null if it is not set or only half set. */
  find(name: string): App | null;
  /** Where the application is set. `environment` takes precedence over `stored`. */
  source(name: string): 'environment' | 'stored' | null;
  /** Reloads the stored applications. Called at startup and periodically, because another node may have written one. */
  refresh(): Promise<void>;
  put(name: string, app: App): Promise<void>;
  /** @returns false if none was stored */
  remove(name: string): Promise<boolean>;
}

const SERVICE = 'operator ';

/** Index: primary key of platform_app. */
export function createApps({ db, sealer }: { db: Database; sealer: Sealer }, given: GivenApps): Apps {
  let stored = new Map<string, App>();
  const purpose = (name: string) => `app  ${SERVICE}${name}`;
  const ofEnvironment = (name: string): App | null => {
    const { id, secret } = (Object.hasOwn(given, name) && given[name]) || {};
    return id && secret ? { clientId: id, clientSecret: secret } : null;
  };
  const apps: Apps = {
    find: (name) => ofEnvironment(name) ?? stored.get(name) ?? null,
    source: (name) => (ofEnvironment(name) ? 'environment' : stored.has(name) ? 'stored' : null),
    async refresh() {
      const rows = await db.query<{ service: string; sealed: Buffer }>(
        `select service, sealed from platform_app where platform = '' and service like '${SERVICE}%'`,
      );
      stored = new Map(
        rows.flatMap(({ service, sealed }) => {
          const name = service.slice(SERVICE.length);
          try {
            return [[name, sealer.open<App>(sealed, purpose(name))] as const];
          } catch {
            // Encrypted with a lost key: treated as missing until the operator sets it again.
            return [];
          }
        }),
      );
    },
    async put(name, app) {
      await db.execute(
        `insert into platform_app (platform, service, sealed) values ('', $1, $2)
         on conflict (platform, service) do update set sealed = excluded.sealed, created_at = app_now()`,
        [SERVICE + name, sealer.seal(app, purpose(name))],
      );
      await apps.refresh();
    },
    async remove(name) {
      const removed = await db.execute(`delete from platform_app where platform = '' and service = $1`, [
        SERVICE + name,
      ]);
      await apps.refresh();
      return removed > 0;
    },
  };
  return apps;
}

/** Applications that a connector registered at run time, one per server. Index: primary key of platform_app. */
export function registrationsOf(
  { db, sealer }: { db: Database; sealer: Sealer },
  platform: string,
  sandbox: boolean,
): ConnectContext['registrations'] {
  const purpose = (service: string) => `app ${platform} ${serviceKey(service, sandbox)}`;
  return {
    async get(service) {
      const [row] = await db.query<{ sealed: Buffer }>(
        'select sealed from platform_app where platform = $1 and service = $2',
        [platform, serviceKey(service, sandbox)],
      );
      return row ? sealer.open<JsonObject>(row.sealed, purpose(service)) : null;
    },
    async put(service, value) {
      await db.execute(
        `insert into platform_app (platform, service, sealed) values ($1, $2, $3)
         on conflict (platform, service) do update set sealed = excluded.sealed, created_at = app_now()`,
        [platform, serviceKey(service, sandbox), sealer.seal(value, purpose(service))],
      );
    },
  };
}

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
