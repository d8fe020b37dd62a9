/** The operator's OAuth applications: those set in the environment, and those stored encrypted in the database. */
import type { App } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import type { Sealer } from '../seal.ts';

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
