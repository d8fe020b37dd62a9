import { type Apps, createApps } from '@reelay/server/accounts/apps/app-store.ts';
import { setupOf, storeApplication } from '@reelay/server/accounts/apps/platform-setup.ts';
import { writeAudit } from '@reelay/server/audit/write-audit.ts';
import type { Environment } from '@reelay/server/config/env.ts';
import { createSealer } from '@reelay/server/lib/encryption/seal.ts';
import { ERROR, TEXT } from '../messages.ts';
import { json, line, table } from '../output.ts';
import { secretFromInput } from './input.ts';
import { type Local, withLocal } from './open.ts';

/** Lists what is set up at each platform. */
export async function list(env: Environment, options: { json?: boolean }): Promise<void> {
  const { connectors } = await import('@reelay/server/connectors/registry.ts');
  await withApps(env, async (apps, { config: { publicUrl } }) => {
    const all = Object.values(connectors).map((connector) => setupOf(connector, { apps, publicUrl }));
    if (options.json) return json(all.map((each) => ({ ...each, problem: each.problem?.text ?? null })));
    const rows = all.map(({ name, applications, redirectUri, problem }) => {
      const set = applications.map((app) => `${app.name}: ${app.source ?? 'not set'}`).join(', ');
      return [name, set || 'not needed', redirectUri ?? '', problem?.text ?? ''];
    });
    for (const row of table(['PLATFORM', 'APPLICATION', 'REDIRECT URI', ''], rows)) line(row);
  });
}

/** Stores an application encrypted. Its secret is read from standard input. */
export async function set(env: Environment, name: string, options: { clientId: string }): Promise<void> {
  const clientSecret = await secretFromInput('client secret');
  const { connectors } = await import('@reelay/server/connectors/registry.ts');
  await withApps(env, async (apps, { db }) => {
    await storeApplication({ apps, connectors }, name, { clientId: options.clientId, clientSecret });
    await writeAudit(db, { userId: null, actor: 'command line', action: 'application.set', subject: name });
    const isUnused = apps.source(name) === 'environment';
    line(isUnused ? TEXT.applicationStoredButUnused(name) : TEXT.applicationStored(name));
  });
}

export async function remove(env: Environment, name: string): Promise<void> {
  await withApps(env, async (apps, { db }) => {
    if (!(await apps.remove(name))) throw new Error(ERROR.applicationNotStored(name));
    await writeAudit(db, { userId: null, actor: 'command line', action: 'application.remove', subject: name });
    line(TEXT.applicationRemoved(name));
  });
}

function withApps(env: Environment, work: (apps: Apps, local: Local) => Promise<void>): Promise<void> {
  return withLocal(env, async (local) => {
    const { config, db, secrets } = local;
    const apps = createApps({ db, sealer: createSealer(secrets.sealing) }, config.apps);
    await apps.refresh();
    await work(apps, local);
  });
}
