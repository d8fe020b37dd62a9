import { type OwnChoice, ownChoices } from '@reelay/server/accounts/choices.ts';
import type { Accounts } from '@reelay/server/accounts/service.ts';
import type { Account } from '@reelay/server/accounts/types.ts';
import type { Environment } from '@reelay/server/config/env.ts';
import { connectors } from '@reelay/server/connectors/registry.ts';
import { isUuid } from '@reelay/server/ids.ts';
import { getUser, listAllUsers } from '@reelay/server/users/service.ts';
import { json, line, note, safe, table } from '../output.ts';
import { secretFromInput } from './input.ts';
import { withAccounts } from './platforms.ts';

export interface ConnectOptions {
  user: string;
  platform: string;
  service?: string;
  identifier?: string;
  login?: string;
  account?: string;
  secretStdin?: boolean;
  privacy?: string;
  choice?: string[];
  sandbox?: boolean;
  json?: boolean;
}

/** Prints the address to open alone, or the ids of what was connected at once. */
export async function connect(env: Environment, options: ConnectOptions): Promise<void> {
  const { user, platform, service, identifier, login, account, privacy, sandbox } = options;
  const secret = options.secretStdin ? await secretFromInput('app password or token') : undefined;
  await withAccounts(env, async ({ accounts }, { db }) => {
    const started = await accounts.startConnect({
      userId: (await getUser(db, user)).id,
      platform,
      service,
      identifier,
      login,
      account,
      secret,
      sandbox,
      choices: { ...(privacy === undefined ? {} : { privacy }), ...choicesOf(options.choice ?? []) },
      actor: 'command line',
    });
    if (options.json) return json(started);
    if (started.url !== null) {
      note('Open this in a browser within ten minutes, once:');
      line(started.url);
      return note(`Should it fail: reelay accounts attempt ${started.attempt}`);
    }
    for (const account of started.accounts) {
      line(account.id);
      note(`${account.platform} ${account.username} is connected.`);
      for (const each of account.notes) note(each);
    }
  });
}

function choicesOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((each) => {
      const [, name, value] = /^([^=]+)=(.+)$/.exec(each) ?? [];
      if (!name || !value) throw new Error(`"${each}" is no choice: write name=value.`);
      return [name, value];
    }),
  );
}

/** What happened when somebody tried to connect, step by step. */
export async function attempt(env: Environment, id: string, options: { json?: boolean }): Promise<void> {
  await withAccounts(env, async ({ accounts }) => {
    const found = await accounts.attempt(null, id);
    if (!found) throw new Error(`There is no attempt "${id}".`);
    if (options.json) return json(found);
    const rows = found.steps.map(({ at, step, ok, text, platformCode, platformRequestId, status }) => {
      const codes = [platformCode, status, platformRequestId].filter(Boolean).join(' ');
      return [at, step, ok ? 'ok' : 'failed', safe(codes ? `${text} (${codes})` : text)];
    });
    for (const row of table(['TIME', 'STEP', '', found.platform], rows)) line(row);
  });
}

export async function list(env: Environment, options: { user?: string; json?: boolean }): Promise<void> {
  await withAccounts(env, async ({ accounts }, { db }) => {
    const users = options.user === undefined ? await listAllUsers(db) : [await getUser(db, options.user)];
    const found = await Promise.all(
      users.map(async ({ id, email }) => (await accounts.list(id)).map((account) => ({ email, account }))),
    );
    const rows = found.flat();
    if (options.json)
      return json(rows.map(({ email, account }) => ({ ...shown(account), choices: choicesAt(account), user: email })));
    const columns = rows.map(({ email, account }) => {
      const { id, platform, username, status, sandbox } = shown(account);
      return [id, platform, username, status, sandbox ? 'sandbox' : '', email];
    });
    for (const row of table(['ID', 'PLATFORM', 'USERNAME', 'STATUS', '', 'USER'], columns)) line(row);
  });
}

/** One account, with what is chosen on it and what there is to choose from. */
export async function show(env: Environment, id: string, options: { json?: boolean }): Promise<void> {
  await withAccounts(env, async ({ accounts }) => {
    const account = await find(accounts, id);
    const choices = choicesAt(account);
    if (options.json) return json({ ...shown(account), choices });
    line(safe(`${account.platform} ${account.username}, ${account.status}${account.sandbox ? ', sandbox' : ''}`));
    for (const { name, label, value, values } of choices) {
      line(safe(`${name}: ${value ?? 'not chosen'} (${label})`));
      for (const row of table(
        ['VALUE', ''],
        values.map((each) => [each.value, each.label]),
      ))
        line(`  ${row}`);
    }
  });
}

/** Makes choices anew, by a value or what it is called. */
export async function set(env: Environment, id: string, options: { choice: string[] }): Promise<void> {
  await withAccounts(env, async ({ accounts }) => {
    const { userId } = await find(accounts, id);
    const choices = choicesOf(options.choice);
    await accounts.setChoices({ userId, accountId: id, choices, actor: 'command line' });
    for (const { name, value } of choicesAt(await find(accounts, id)))
      if (Object.hasOwn(choices, name)) line(`${name} is ${value} from now on.`);
  });
}

async function find(accounts: Pick<Accounts, 'load'>, id: string): Promise<Account> {
  const [account] = isUuid(id) ? await accounts.load([id]) : [];
  if (!account || account.status === 'DISCONNECTED') throw new Error(`There is no connected account "${id}".`);
  return account;
}

function choicesAt(account: Account): OwnChoice[] {
  return ownChoices(connectors[account.platform]?.choices ?? [], account);
}

export async function disconnect(env: Environment, id: string): Promise<void> {
  await withAccounts(env, async ({ accounts }) => {
    const account = await find(accounts, id);
    await accounts.disconnect({ userId: account.userId, accountId: id, actor: 'command line' });
    line(`${account.platform} ${account.username} is disconnected.`);
  });
}

function shown({ id, platform, service, username, displayName, status, sandbox, connectedAt }: Account) {
  return { id, platform, service, username, displayName, status, sandbox, connectedAt: connectedAt.toISOString() };
}
