/** The operator's applications at platforms: those that the environment names, and beside them those that are stored, sealed. */
import type { App } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import type { Sealer } from '../seal.ts';

/** As the environment has them: one half may be missing. */
export type GivenApps = Readonly<Record<string, { id?: string; secret?: string }>>;

export interface Apps {
  /** By the name that connectors know; null where there is none, or half of one. */
  find(name: string): App | null;
  /** Where it comes from. `environment` goes before `stored`. */
  source(name: string): 'environment' | 'stored' | null;
  /** Reads what is stored: at the start, and now and then, because another node may have written it. */
  refresh(): Promise<void>;
  put(name: string, app: App): Promise<void>;
  /** @returns false when none was stored */
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
            // Sealed by a key that is lost: as good as none, until it is set again.
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
