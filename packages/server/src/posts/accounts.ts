/** Whether the chosen accounts can take a post: asked before the video is read, and again in the transaction. */
import type { Capabilities, Connector } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import { isUuid } from '../ids.ts';
import { captionProblem, missingChoice } from '../publishing/suitability.ts';
import { optionsFor, refuseStray, type SentOptions, type TargetOptions } from './options.ts';

/** An account as far as posting to it must know it. */
export interface PostAccount {
  id: string;
  identityId: string;
  platform: string;
  username: string;
  status: string;
  sandbox: boolean;
  capabilities: Capabilities;
  choices: Record<string, string>;
}

const COLUMNS = 'id, identity_id as "identityId", platform, username, status, sandbox, capabilities, choices';

/** Those of the user's accounts that have these ids, in no order. Index: primary key. */
export function findAccounts(db: Queryable, userId: string, ids: readonly string[]): Promise<PostAccount[]> {
  return db.query<PostAccount>(`select ${COLUMNS} from account where user_id = $1 and id = any($2::uuid[])`, [
    userId,
    ids.filter(isUuid),
  ]);
}

/** The same, locked against being disconnected or refused. Index: primary key. */
export function lockAccounts(tx: Queryable, userId: string, ids: readonly string[]): Promise<PostAccount[]> {
  return tx.query<PostAccount>(
    `select ${COLUMNS} from account where user_id = $1 and id = any($2::uuid[]) order by id for share`,
    [userId, ids.filter(isUuid)],
  );
}

export interface Wanted {
  /** In the order sent. */
  ids: readonly string[];
  /** undefined: not known yet. */
  description: string | undefined;
  /** undefined: not known yet. */
  options: SentOptions | undefined;
}

/** An account with what the post asks of it alone. */
export type ChosenAccount = PostAccount & TargetOptions;

/**
 * The accounts in the order wanted. Pure.
 * @throws ReelayError `unknown_platform`, `platform_not_connected`, `setup_needed`, `caption_too_long`, naming the
 *   account; `invalid_request` naming the option
 */
export function chooseAccounts(
  found: readonly PostAccount[],
  { ids, description, options }: Wanted,
  settings: { sandbox: boolean; connectors: Readonly<Record<string, Connector>> },
): ChosenAccount[] {
  const byId = new Map(found.map((account) => [account.id, account]));
  const chosen = ids.map((id) => {
    const account = byId.get(id);
    if (account) return account;
    throw new ReelayError('unknown_platform', `There is no connected account "${id.slice(0, 100)}".`);
  });
  for (const account of chosen) {
    if (account.status !== 'CONNECTED' || (account.sandbox && !settings.sandbox))
      throw new ReelayError('platform_not_connected', `The account ${nameOf(account)} is not connected.`);
  }
  for (const account of chosen) {
    const choice = missingChoice(settings.connectors[account.platform]?.choices ?? [], account.choices);
    if (choice)
      throw new ReelayError('setup_needed', `The owner of ${nameOf(account)} has to choose first: ${choice.label}.`);
  }
  if (options) refuseStray(options, chosen);
  return chosen.map((account) => {
    const asked = optionsFor(account, options ?? {}, settings.connectors[account.platform]);
    const text = asked.caption ?? description;
    if (text !== undefined) refuseLongCaption(account, text);
    return { ...account, ...asked };
  });
}

/** @throws ReelayError `caption_too_long` naming the platform and its limit */
export function refuseLongCaption(account: PostAccount, description: string): void {
  const problem = captionProblem(account.capabilities, description);
  if (problem) throw new ReelayError('caption_too_long', `${nameOf(account)}: ${problem}`);
}

function nameOf({ platform, username, id }: PostAccount): string {
  return `${platform} @${username} (${id})`;
}
