import type { ConnectContext, JsonObject } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import type { Sealer } from '../seal.ts';
import { serviceKey } from './identity.ts';

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
