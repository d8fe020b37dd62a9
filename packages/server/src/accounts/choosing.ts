/** Selects which of the accounts found by a consent to connect. */
import type { AccountFacts, Choice } from '../connectors/contract.ts';
import { PlatformError } from '../connectors/kit/failure.ts';
import type { Queryable } from '../db/database.ts';
import { mergeChoices, type OwnChoice, ownChoices } from './choices.ts';

/** An account that the user may choose to connect. */
export interface OfferedAccount {
  remoteId: string;
  username: string;
  displayName: string;
  /** Already connected: preselected on the page. */
  connected: boolean;
  /** Required choices that are still missing; the account cannot post without them. */
  missing: readonly OwnChoice[];
}

/** Values that the user chose for each account: remote id → choice name → value. */
export type ChosenValues = Readonly<Record<string, Record<string, string>>>;

export interface KnownRemote {
  id: string;
  /** As in {@link identityService}. */
  service: string;
  remoteId: string;
  username: string;
  connected: boolean;
  choices: Record<string, string>;
}

/** The user's accounts at a platform, including disconnected ones. Index: account_listing. */
export function knownAccounts(
  db: Queryable,
  userId: string,
  platform: string,
  sandbox: boolean,
): Promise<KnownRemote[]> {
  return db.query<KnownRemote>(
    `select a.id, i.service, i.remote_id as "remoteId", a.username, a.status <> 'DISCONNECTED' as connected,
       a.choices
     from account a join identity i on i.id = a.identity_id
     where a.user_id = $1 and a.platform = $2 and a.sandbox = $3`,
    [userId, platform, sandbox],
  );
}

/** Returns the server that scopes an account's remote id, as in {@link identityService}. */
export type ServiceOf = (facts: AccountFacts) => string;

/**
 * Builds the list of accounts to choose from.
 * @param given the choices made before the consent
 */
export function offer(
  found: readonly AccountFacts[],
  known: readonly KnownRemote[],
  { choices, given, serviceOf }: { choices: readonly Choice[]; given: Record<string, string>; serviceOf: ServiceOf },
): OfferedAccount[] {
  return found.map((facts) => {
    const { remoteId, username, displayName, choices: values = {} } = facts;
    const before = known.find((each) => each.remoteId === remoteId && each.service === serviceOf(facts));
    const { choices: made } = mergeChoices(choices, values, before?.choices ?? {}, given);
    const missing = ownChoices(choices, { choices: made, choiceValues: values }).filter(
      (choice) => choice.required && choice.value === null && choice.values.length > 0,
    );
    return { remoteId, username, displayName, connected: before?.connected ?? false, missing };
  });
}

/**
 * Finds the account to reconnect among those found.
 * @throws PlatformError if the consent belongs to another account
 */
export function theSame(
  found: readonly AccountFacts[],
  known: readonly KnownRemote[],
  accountId: string,
  serviceOf: ServiceOf,
): AccountFacts {
  const wanted = known.find(({ id }) => id === accountId);
  const same = found.find((facts) => facts.remoteId === wanted?.remoteId && serviceOf(facts) === wanted.service);
  if (same) return same;
  const names = found.map(nameOf).join(', ');
  throw new PlatformError({
    kind: 'rejected',
    what: 'permission',
    detail: `You signed in as ${names}, but ${wanted ? wanted.username : 'another account'} was to be connected again. Sign in there with that account, or connect this one as a new account.`,
  });
}

export function nameOf({ username, displayName }: Pick<AccountFacts, 'username' | 'displayName'>): string {
  return username || displayName;
}
