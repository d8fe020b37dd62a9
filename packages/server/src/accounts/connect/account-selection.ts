/** Finds the accounts of a consent and selects the ones to connect. */
import type { AccountFacts, Choice, ConnectContext, Connector, Tokens } from '../../connectors/contract.ts';
import type { Queryable } from '../../db/database.ts';
import { say as sayConnect } from '../../messages/connect.ts';
import { say } from '../../messages/timeline.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import { identityService } from '../account-store.ts';
import type { Platforms } from '../apps/platforms.ts';
import { outsideProblem } from '../apps/public-reachability.ts';
import { asking } from '../failures.ts';
import { spendIdentify } from '../profile/identify-budget.ts';
import { storedFacts } from '../profile/profile-service.ts';
import { mergeChoices, type OwnChoice, ownChoices } from '../settings/account-settings.ts';
import type { ConsentTokens } from '../tokens/token-store.ts';
import type { AccountsDependencies } from '../types.ts';
import { type AttemptStep, noteStep } from './attempt-store.ts';

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

type Deps = Pick<AccountsDependencies, 'db' | 'publicUrl'> & { platforms: Platforms };

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
    detail: wanted ? say('wrong_account', { names, wanted: wanted.username }) : say('wrong_account_unknown', { names }),
  });
}

export function nameOf({ username, displayName }: Pick<AccountFacts, 'username' | 'displayName'>): string {
  return username || displayName;
}

/** The attempt's id and the step that it has reached. */
export interface Progress {
  id: string;
  step: AttemptStep;
}

/**
 * Finds the accounts that the tokens give access to, and the user's accounts already known at that platform.
 * @param account the account to reconnect, if any; then it is the only one returned
 * @throws PlatformError as {@link identifyFound}, and if the tokens belong to another account
 */
export async function findNoted(
  deps: Deps,
  progress: Progress,
  consent: Pick<ConsentTokens, 'userId' | 'platform' | 'sandbox' | 'tokens'>,
  account: string | undefined,
): Promise<{ found: readonly AccountFacts[]; known: readonly KnownRemote[]; serviceOf: ServiceOf }> {
  progress.step = 'profile';
  const all = await identifyFound(deps, consent);
  const names = all.map(nameOf).join(', ');
  await noteStep(deps.db, progress.id, 'profile', sayConnect('accounts_found', { names }));
  progress.step = 'choice';
  const known = await knownAccounts(deps.db, consent.userId, consent.platform, consent.sandbox);
  const { tokens, sandbox } = consent;
  const serviceOf: ServiceOf = (facts) => identityService(facts, facts.service ?? tokens.service, sandbox);
  return { found: account ? [theSame(all, known, account, serviceOf)] : all, known, serviceOf };
}

/**
 * Finds the accounts that the tokens give access to.
 * @throws PlatformError, also if this service cannot serve one of them
 */
export async function identifyFound(
  { db, platforms, publicUrl }: Pick<Deps, 'db' | 'platforms' | 'publicUrl'>,
  consent: Pick<ConsentTokens, 'userId' | 'platform' | 'sandbox' | 'tokens'>,
): Promise<readonly AccountFacts[]> {
  const connector = platforms.connector(consent.platform);
  const unknown = { accountId: '', identityId: '', service: consent.tokens.service };
  const empty = await spendIdentify({ db, platforms }, { ...consent, ...unknown }, 1);
  if (empty) throw new PlatformError(empty);
  const context = await platforms.context(consent.platform, consent.sandbox);
  const found = await identifyAll(connector, context, consent.tokens);
  const problem = !consent.sandbox && found.some((facts) => facts.fetchesMedia) && outsideProblem(publicUrl);
  if (!problem) return found;
  const detail = say('media_not_reachable', { platform: connector.name, problem });
  throw new PlatformError({ kind: 'setup', detail });
}

async function identifyAll(
  connector: Connector,
  context: ConnectContext,
  tokens: Tokens,
): Promise<readonly AccountFacts[]> {
  const found = await asking(async () =>
    connector.identifyAll ? connector.identifyAll(context, tokens) : [await connector.identify(context, tokens)],
  );
  if (found.length > 0 && found.every((facts) => facts.remoteId !== '')) return found.map(storedFacts);
  throw new PlatformError({ kind: 'setup', detail: say('account_missing', { platform: connector.name }) });
}
