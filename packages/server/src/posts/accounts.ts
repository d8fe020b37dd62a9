/** Checks whether the chosen accounts accept a post: before the video is read, and again in the transaction. */
import { type StoredValues, valuesOf } from '../accounts/settings/account-settings.ts';
import type { Capabilities, Connector, JsonObject } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import { handleOf } from '../handle.ts';
import { isUuid } from '../ids.ts';
import { captionProblemWith, missingChoice, refusedChoice } from '../publishing/suitability.ts';
import { optionsFor, refuseStray, type SentOptions, type TargetOptions } from './options.ts';

/** The parts of an account that posting needs. */
export interface PostAccount {
  id: string;
  identityId: string;
  platform: string;
  /** The account's server if its user named one; otherwise "". */
  service: string;
  username: string;
  status: string;
  sandbox: boolean;
  capabilities: Capabilities;
  choices: Record<string, string>;
  /** Allowed values by setting name, as far as known. */
  choiceValues: StoredValues;
}

const COLUMNS = `id, identity_id as "identityId", platform, service, username, status, sandbox, capabilities, choices,
  choice_values as "choiceValues"`;

/** The user's accounts with these ids, unordered. Index: primary key. */
export function findAccounts(db: Queryable, userId: string, ids: readonly string[]): Promise<PostAccount[]> {
  return db.query<PostAccount>(`select ${COLUMNS} from account where user_id = $1 and id = any($2::uuid[])`, [
    userId,
    ids.filter(isUuid),
  ]);
}

/** Same, locked against disconnection and rejection. Index: primary key. */
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

/** An account with the post's options for it. */
export type ChosenAccount = PostAccount & TargetOptions;

export interface ChoosingNeeds {
  sandbox: boolean;
  connectors: Readonly<Record<string, Connector>>;
}

/**
 * Returns the accounts in the requested order. Pure.
 * @throws ReelayError `unknown_platform`, `platform_not_connected`, `setup_needed`, `caption_too_long`, naming the
 * account; `invalid_request` naming the option
 */
export function chooseAccounts(
  found: readonly PostAccount[],
  wanted: Wanted,
  settings: ChoosingNeeds,
): ChosenAccount[] {
  const chosen = pickAccounts(found, wanted);
  for (const account of chosen) refuseUnconnected(account, settings);
  return chosen.map((account) => ({ ...account, ...askOf(account, wanted, settings.connectors[account.platform]) }));
}

/**
 * Returns the requested accounts in that order, regardless of their state. Pure.
 * @throws ReelayError `unknown_platform`; `invalid_request` naming options without an account
 */
export function pickAccounts(found: readonly PostAccount[], { ids, options }: Wanted): PostAccount[] {
  const byId = new Map(found.map((account) => [account.id, account]));
  const chosen = ids.map((id) => {
    const account = byId.get(id);
    if (account) return account;
    throw new ReelayError('unknown_platform', `There is no connected account "${id.slice(0, 100)}".`);
  });
  if (options) refuseStray(options, chosen);
  return chosen;
}

/** @throws ReelayError `platform_not_connected` */
export function refuseUnconnected(account: PostAccount, { sandbox }: Pick<ChoosingNeeds, 'sandbox'>): void {
  if (account.status === 'CONNECTED' && (sandbox || !account.sandbox)) return;
  throw new ReelayError('platform_not_connected', `The account ${nameOf(account)} is not connected.`);
}

/**
 * Validates and returns the options for one account. Pure.
 * @throws ReelayError `setup_needed`, `caption_too_long`; `invalid_request` naming the option
 */
export function askOf(
  account: PostAccount,
  { description, options }: Wanted,
  connector: Connector | undefined,
): TargetOptions {
  const asked = optionsFor(account, options ?? {}, connector);
  // Options that arrive later may set the required choice.
  if (options || !connector?.options) refuseMissingChoice(account, connector, asked);
  refuseChoice(account, connector, asked);
  const text = asked.caption ?? description;
  if (text !== undefined) refuseLongCaption(account, connector, { text, options: asked.options });
  return asked;
}

function refuseMissingChoice(account: PostAccount, connector: Connector | undefined, { options }: TargetOptions): void {
  const choice = missingChoice(connector?.choices ?? [], account.choices, options);
  if (choice)
    throw new ReelayError('setup_needed', `The owner of ${nameOf(account)} has to choose first: ${choice.label}.`);
}

function refuseChoice(account: PostAccount, connector: Connector | undefined, { options }: TargetOptions): void {
  const refused = refusedChoice(connector?.choices ?? [], (choice) => valuesOf(choice, account.choiceValues), options);
  if (!refused) return;
  const { choice, allowed } = refused;
  const path = `options.${account.platform}.${choice.name}`;
  const what = `cannot be "${options[choice.name]}" for ${nameOf(account)}, which allows ${allowed.join(', ')}`;
  throw new ReelayError('invalid_request', `The form field "${path}" ${what}.`);
}

/** @throws ReelayError `caption_too_long` naming the platform and its limit */
export function refuseLongCaption(
  account: PostAccount,
  connector: Connector | undefined,
  said: { text: string; options: JsonObject },
): void {
  const problem = captionProblemWith(connector, account.capabilities, said);
  if (problem) throw new ReelayError('caption_too_long', `${nameOf(account)}: ${problem}`);
}

function nameOf({ platform, username, id }: PostAccount): string {
  return `${platform} ${handleOf(username)} (${id})`;
}
