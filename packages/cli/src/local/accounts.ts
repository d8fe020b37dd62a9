/** Account commands that read the database. The platform's connector supplies details of its choices. */
import { listAccounts, loadAccounts } from '@reelay/server/accounts/account-store.ts';
import { attemptText, readAttempt } from '@reelay/server/accounts/connect/attempt-store.ts';
import { type OwnChoice, ownChoices } from '@reelay/server/accounts/settings/account-settings.ts';
import { setChoices } from '@reelay/server/accounts/settings/account-settings-service.ts';
import { LOST_KEY, lostGrants } from '@reelay/server/accounts/tokens/token-secret.ts';
import type { Account } from '@reelay/server/accounts/types.ts';
import type { Environment } from '@reelay/server/config/env.ts';
import type { Database } from '@reelay/server/db/database.ts';
import { createSealer } from '@reelay/server/lib/encryption/seal.ts';
import { isUuid } from '@reelay/server/lib/ids.ts';
import { createLanguages } from '@reelay/server/messages/languages.ts';
import { getUser, listAllUsers } from '@reelay/server/users/service.ts';
import { ERROR, TEXT } from '../messages.ts';
import { json, line, safe, table } from '../output.ts';
import { connectorsFor } from './connectors.ts';
import { withLocal } from './open.ts';

/**
 * Parses `name=value` options.
 * @throws Error with a one-line message for an invalid option
 */
export function choicesOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((each) => {
      const [, name, value] = /^([^=]+)=(.+)$/.exec(each) ?? [];
      if (!name || !value) throw new Error(ERROR.notNameValue(each));
      return [name, value];
    }),
  );
}

/** Prints the steps of a connect attempt. */
export async function attempt(env: Environment, id: string, options: { json?: boolean }): Promise<void> {
  await withLocal(env, async ({ db }) => {
    const found = await readAttempt(db, null, id);
    if (!found) throw new Error(ERROR.attemptNotFound(id));
    const { connectors } = await import('@reelay/server/connectors/registry.ts');
    const { render } = createLanguages(connectors).english;
    const steps = found.steps.map((each) => ({ ...each, text: attemptText(each, render) }));
    if (options.json) return json({ ...found, steps: steps.map(({ message: _, ...rest }) => rest) });
    const rows = steps.map(({ at, step, ok, text, platformCode, platformRequestId, status }) => {
      const codes = [platformCode, status, platformRequestId].filter(Boolean).join(' ');
      return [at, step, ok ? 'ok' : 'failed', safe(codes ? `${text} (${codes})` : text)];
    });
    for (const row of table(['TIME', 'STEP', '', found.platform], rows)) line(row);
  });
}

export async function list(env: Environment, options: { user?: string; json?: boolean }): Promise<void> {
  await withLocal(env, async ({ db, secrets }) => {
    const users = options.user === undefined ? await listAllUsers(db) : [await getUser(db, options.user)];
    const found = await Promise.all(
      users.map(async ({ id, email }) => (await listAccounts(db, id)).map((account) => ({ email, account }))),
    );
    const rows = found.flat();
    const grants = rows.flatMap(({ account }) => account.grantId ?? []);
    const lost = await lostGrants(db, createSealer(secrets.sealing), grants);
    const detailOf = ({ grantId }: Account) =>
      grantId !== null && lost.has(grantId) ? { detail: LOST_KEY.detail.text } : {};
    if (options.json) {
      const all = rows.map(async ({ email, account }) => ({
        ...shown(account),
        ...detailOf(account),
        choices: await choicesAt(account),
        user: email,
      }));
      return json(await Promise.all(all));
    }
    const columns = rows.map(({ email, account }) => {
      const { id, platform, username, status, sandbox } = shown(account);
      return [id, platform, username, status, sandbox ? 'sandbox' : '', email, detailOf(account).detail ?? ''];
    });
    for (const row of table(['ID', 'PLATFORM', 'USERNAME', 'STATUS', '', 'USER', ''], columns)) line(row);
  });
}

/** Prints one account with its choices and their possible values. */
export async function show(env: Environment, id: string, options: { json?: boolean }): Promise<void> {
  await withLocal(env, async ({ db }) => {
    const account = await find(db, id);
    const choices = await choicesAt(account);
    if (options.json) return json({ ...shown(account), choices });
    line(safe(TEXT.accountState(account)));
    for (const { name, label, value, values } of choices) {
      line(safe(TEXT.settingValue(name, value, label)));
      for (const row of table(
        ['VALUE', ''],
        values.map((each) => [each.value, each.label]),
      ))
        line(`  ${row}`);
    }
  });
}

/** Changes an account's choices, by value or label. */
export async function set(env: Environment, id: string, options: { choice: string[] }): Promise<void> {
  await withLocal(env, async ({ db }) => {
    const { userId, platform } = await find(db, id);
    const choices = choicesOf(options.choice);
    const connectors = await connectorsFor(platform);
    await setChoices({ db, connectors }, { userId, accountId: id, choices, actor: 'command line' });
    for (const { name, value } of await choicesAt(await find(db, id)))
      if (Object.hasOwn(choices, name)) line(TEXT.settingChanged(name, value));
  });
}

/** @throws Error with a one-line message if there is no connected account with this id */
export async function find(db: Database, id: string): Promise<Account> {
  const [account] = isUuid(id) ? await loadAccounts(db, [id]) : [];
  if (!account || account.status === 'DISCONNECTED') throw new Error(ERROR.accountNotFound(id));
  return account;
}

async function choicesAt(account: Account): Promise<OwnChoice[]> {
  const { [account.platform]: connector } = await connectorsFor(account.platform);
  return ownChoices(connector?.choices ?? [], account);
}

function shown({ id, platform, service, username, displayName, status, sandbox, connectedAt }: Account) {
  return { id, platform, service, username, displayName, status, sandbox, connectedAt: connectedAt.toISOString() };
}
