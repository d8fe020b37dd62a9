/** Commands that connect and disconnect an account. */
import { disconnect as disconnectAccount } from '@reelay/server/accounts/connect/disconnect-service.ts';
import { createAccountEvents } from '@reelay/server/accounts/events.ts';
import type { Environment } from '@reelay/server/config/env.ts';
import { RULES_OF_ACCOUNTS } from '@reelay/server/reposts/rules-of-accounts.ts';
import { getUser } from '@reelay/server/users/service.ts';
import { TEXT } from '../messages.ts';
import { json, line, note } from '../output.ts';
import { choicesOf, find } from './accounts.ts';
import { secretFromInput } from './input.ts';
import { withLocal } from './open.ts';
import { silence, withAccounts } from './platforms.ts';

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

/** Prints only the URL to open, or the ids of the accounts that were connected immediately. */
export async function connect(env: Environment, options: ConnectOptions): Promise<void> {
  const { user, platform, service, identifier, login, account, privacy, sandbox } = options;
  const secret = options.secretStdin ? await secretFromInput('app password or token') : undefined;
  await withAccounts(env, { platform, sandbox: sandbox === true }, async (accounts, { db }) => {
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
      note(TEXT.openInBrowser);
      line(started.url);
      return note(TEXT.ifConnectFails(started.attempt));
    }
    for (const account of started.accounts) {
      line(account.id);
      note(TEXT.accountConnected(account.platform, account.username));
      for (const each of account.notes) note(each.text);
    }
  });
}

export async function disconnect(env: Environment, id: string): Promise<void> {
  await withLocal(env, async ({ db }) => {
    const { userId, platform, username } = await find(db, id);
    const events = createAccountEvents(silence());
    await disconnectAccount({ db, events, rules: RULES_OF_ACCOUNTS }, { userId, accountId: id, actor: 'command line' });
    line(TEXT.accountDisconnected(platform, username));
  });
}
