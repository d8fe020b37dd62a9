/** Checks whether the chosen accounts accept a post: before the video is read, and again in the transaction. Pure. */
import { valuesOf } from '../accounts/settings/account-settings.ts';
import type { Connector, JsonObject } from '../connectors/contract.ts';
import { type CountCaption, createCaptionCounter } from '../connectors/kit/captions.ts';
import { apiError } from '../errors/reelay-error.ts';
import { unknownAccounts } from '../errors/unknown-names.ts';
import { handleOf } from '../lib/handle.ts';
import { captionProblemWith, missingChoice, refusedChoice } from '../publishing/suitability.ts';
import { optionsFor, rejectUnknownOptions, type SentOptions, type TargetOptions } from './options.ts';
import type { PostAccount } from './post-store.ts';

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

export interface AccountDeps {
  sandbox: boolean;
  connectors: Readonly<Record<string, Connector>>;
}

/**
 * Returns the accounts in the requested order. Pure.
 * @throws ReelayError `unknown_platform`, `platform_not_connected`, `setup_needed`, `caption_too_long`, naming the
 * account; `invalid_request` naming the option
 */
export function chooseAccounts(found: readonly PostAccount[], wanted: Wanted, deps: AccountDeps): ChosenAccount[] {
  const chosen = pickAccounts(found, wanted);
  for (const account of chosen) rejectUnconnected(account, deps);
  const count = createCaptionCounter();
  return chosen.map((account) => ({
    ...account,
    ...targetOptions(account, wanted, deps.connectors[account.platform], count),
  }));
}

/**
 * Returns the requested accounts in that order, regardless of their state. Pure.
 * @throws ReelayError `unknown_platform`; `invalid_request` naming options without an account
 */
export function pickAccounts(found: readonly PostAccount[], { ids, options }: Wanted): PostAccount[] {
  const byId = new Map(found.map((account) => [account.id, account]));
  const unknown = ids.filter((id) => !byId.has(id));
  if (unknown.length > 0) throw unknownAccounts(unknown);
  const chosen = ids.flatMap((id) => byId.get(id) ?? []);
  if (options) rejectUnknownOptions(options, chosen);
  return chosen;
}

/** @throws ReelayError `platform_not_connected` */
export function rejectUnconnected(account: PostAccount, { sandbox }: Pick<AccountDeps, 'sandbox'>): void {
  if (account.status === 'CONNECTED' && (sandbox || !account.sandbox)) return;
  throw apiError('account_not_connected', { account: nameOf(account) });
}

/**
 * Validates and returns the options for one account. Pure.
 * @throws ReelayError `setup_needed`, `caption_too_long`; `invalid_request` naming the option or the account
 */
export function targetOptions(
  account: PostAccount,
  { description, options }: Pick<Wanted, 'description' | 'options'>,
  connector: Connector | undefined,
  count?: CountCaption,
): TargetOptions {
  const requested = optionsFor(account, options ?? {}, connector);
  // Options that arrive later may set the required choice or another caption.
  if (options || !connector?.options) rejectMissingChoice(account, connector, requested);
  rejectChoice(account, connector, requested);
  const text = requested.caption ?? description;
  if (options && text !== undefined) rejectCaption(account, connector, { text, options: requested.options }, count);
  return requested;
}

function rejectMissingChoice(account: PostAccount, connector: Connector | undefined, { options }: TargetOptions): void {
  const choice = missingChoice(connector?.choices ?? [], account.choices, options);
  if (choice) throw apiError('setting_missing', { account: nameOf(account), setting: choice.label });
}

function rejectChoice(account: PostAccount, connector: Connector | undefined, { options }: TargetOptions): void {
  const refused = refusedChoice(connector?.choices ?? [], (choice) => valuesOf(choice, account.choiceValues), options);
  if (!refused) return;
  const { choice, allowed } = refused;
  const path = `options.${account.platform}.${choice.name}`;
  const value = String(options[choice.name]);
  throw apiError('option_not_allowed', { path, value, account: nameOf(account), allowed: allowed.join(', ') });
}

/** @throws ReelayError `caption_too_long` naming the platform and its limit; `invalid_request` for a rule of its own */
export function rejectCaption(
  account: PostAccount,
  connector: Connector | undefined,
  caption: { text: string; options: JsonObject },
  count?: CountCaption,
): void {
  const problem = captionProblemWith(connector, account.capabilities, caption, count);
  if (problem) throw apiError('caption_too_long_for', { account: nameOf(account), problem });
  const refused = connector?.textProblem?.(caption.text);
  if (refused) throw apiError('caption_not_allowed', { account: nameOf(account), problem: refused });
}

function nameOf({ platform, username, id }: PostAccount): string {
  return `${platform} ${handleOf(username)} (${id})`;
}
