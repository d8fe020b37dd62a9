/** Which of the accounts behind a consent are meant. */
import type { AccountFacts, Choice } from '../connectors/contract.ts';
import { PlatformError } from '../connectors/kit/failure.ts';
import type { Queryable } from '../db/database.ts';
import { mergeChoices, type OwnChoice, ownChoices } from './choices.ts';

/** An account that the user may choose. */
export interface OfferedAccount {
  remoteId: string;
  username: string;
  displayName: string;
  /** Connected already: chosen unless the user says otherwise. */
  connected: boolean;
  /** Choices without which it cannot post. */
  missing: readonly OwnChoice[];
}

/** What the user chose on each account, by its id at the platform and the name of the choice. */
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

/** The user's accounts at a platform, disconnected ones too. Index: account_listing. */
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

/** The server that scopes the remote id of some facts, as in {@link identityService}. */
export type ServiceOf = (facts: AccountFacts) => string;

/** @param given the choices that were made before consent */
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

/** The one that is to be connected again. @throws PlatformError when the consent is another account's */
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
