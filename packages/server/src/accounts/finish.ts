/** The last step of every way to connect: identifies the accounts of the tokens and stores them. */

import { writeAudit } from '../audit.ts';
import type { AccountFacts, ConnectContext, Connector, Tokens } from '../connectors/contract.ts';
import { PlatformError } from '../connectors/kit/failure.ts';
import type { Transaction } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import { fetchPicture, keepAvatar, pictureGuard, storeAvatar } from './avatar.ts';
import { mergeChoices } from './choices.ts';
import type { ChosenValues } from './choosing.ts';
import type { AccountEvents } from './events.ts';
import { asking } from './failures.ts';
import { replaceGrants } from './grant-writing.ts';
import { identityService } from './identity.ts';
import { lifeProblem } from './lifetimes.ts';
import { outsideProblem } from './outside.ts';
import type { Platforms } from './platforms.ts';
import { missingScopes } from './scopes.ts';
import { type KnownAccount, lockAccount, upsertIdentity, writeAccount } from './store.ts';
import { storedFacts } from './stored-facts.ts';
import type { AccountsDependencies } from './types.ts';

export interface Consent {
  userId: string;
  platform: string;
  sandbox: boolean;
  kind: 'oauth' | 'credentials';
  tokens: Tokens;
  /** The owner's choices, by name. */
  choices: Record<string, string>;
  /** Choices made for a single account. */
  choicesOf?: ChosenValues;
  /** Who asked, for the audit log. */
  actor: string;
}

export interface ConnectedAccount {
  id: string;
  platform: string;
  username: string;
  displayName: string;
  /** Whether it had been connected before. */
  again: boolean;
  /** Notes for the owner, as sentences. */
  notes: string[];
}

export type FinishNeeds = Pick<AccountsDependencies, 'db' | 'sealer' | 'storage' | 'plans' | 'publicUrl'> & {
  platforms: Platforms;
  events: AccountEvents;
};

export const DAY_MS = 86_400_000;

/**
 * Identifies the owner of the tokens and stores the accounts.
 * @throws PlatformError with the platform's refusal, or the scopes that were not granted
 * @throws ReelayError `plan_limit_reached`
 */
export async function finishConnect(needs: FinishNeeds, consent: Consent): Promise<ConnectedAccount[]> {
  assertUsable(needs.platforms.connector(consent.platform), consent);
  return connectFound(needs, consent, await identifyFound(needs, consent));
}

/**
 * Finds the accounts that the tokens give access to.
 * @throws PlatformError, also if this service cannot serve one of them
 */
export async function identifyFound(
  { platforms, publicUrl }: Pick<FinishNeeds, 'platforms' | 'publicUrl'>,
  consent: Pick<Consent, 'platform' | 'sandbox' | 'tokens'>,
): Promise<readonly AccountFacts[]> {
  const connector = platforms.connector(consent.platform);
  const context = await platforms.context(consent.platform, consent.sandbox);
  const found = await identifyAll(connector, context, consent.tokens);
  const problem = !consent.sandbox && found.some((facts) => facts.fetchesMedia) && outsideProblem(publicUrl);
  if (!problem) return found;
  const detail = `${connector.name} fetches videos from this service, so PUBLIC_URL must be an https address that the whole world reaches; ${problem}. The operator has to change that first.`;
  throw new PlatformError({ kind: 'setup', detail });
}

/**
 * Stores accounts in one transaction.
 * @throws ReelayError `plan_limit_reached`
 */
export async function connectFound(
  needs: FinishNeeds,
  consent: Consent,
  found: readonly AccountFacts[],
): Promise<ConnectedAccount[]> {
  const connector = needs.platforms.connector(consent.platform);
  const pictures = await Promise.all(found.map((facts) => picture(needs, consent, facts)));
  const connected = await needs.db.transaction((tx) => write(tx, needs, connector, consent, found, pictures));
  for (const { id, again } of connected)
    needs.events.connected({ id, again, userId: consent.userId, platform: consent.platform, sandbox: consent.sandbox });
  return connected;
}

/** @throws PlatformError if a token's lifetime is invalid or a scope is missing */
export function assertUsable(connector: Connector, { kind, tokens }: Pick<Consent, 'kind' | 'tokens'>): void {
  const problem = lifeProblem(tokens.expiresIn) ?? lifeProblem(tokens.refreshExpiresIn);
  if (problem)
    throw new PlatformError({ kind: 'transient', detail: `${connector.name} gave a senseless answer. ${problem}` });
  if (kind !== 'oauth' || !connector.oauth) return;
  const missing = missingScopes(connector.oauth, tokens.scopes);
  if (missing.length === 0) return;
  throw new PlatformError({
    kind: 'rejected',
    what: 'permission',
    detail: `${connector.name} did not grant ${missing.join(', ')}. Connect again and leave every permission allowed.`,
  });
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
  throw new PlatformError({ kind: 'setup', detail: `${connector.name} named no account behind this consent.` });
}

/** Copies the profile picture and returns its file name; undefined if that fails. */
async function picture(
  { platforms, db, storage, events }: FinishNeeds,
  { platform, sandbox, tokens }: Consent,
  { avatarUrl, service = tokens.service }: AccountFacts,
): Promise<string | undefined> {
  if (!avatarUrl) return undefined;
  const guard = pictureGuard(platforms.outbound(sandbox).guard, { service, sandbox });
  const fetched = await fetchPicture(avatarUrl, guard);
  if ('problem' in fetched) {
    events.avatarFailed(platform, fetched.problem);
    return undefined;
  }
  return storeAvatar(db, storage, fetched).catch(() => {
    events.avatarFailed(platform, 'storage');
    return undefined;
  });
}

async function write(
  tx: Transaction,
  needs: FinishNeeds,
  connector: Connector,
  consent: Consent,
  found: readonly AccountFacts[],
  pictures: readonly (string | undefined)[],
): Promise<ConnectedAccount[]> {
  const { userId, platform, sandbox, tokens } = consent;
  // Lock the user first, as everywhere that rules and limits are counted.
  await tx.query('select 1 from auth."user" where id = $1 for no key update', [userId]);
  const wanted: Wanted[] = [];
  for (const [index, facts] of found.entries()) {
    const service = facts.service ?? tokens.service;
    const key = { platform, service: identityService(facts, service, sandbox), remoteId: facts.remoteId };
    const identityId = await upsertIdentity(tx, key, userId);
    const known = await lockAccount(tx, userId, identityId);
    wanted.push({ facts, service, identityId, known, avatar: pictures[index] });
  }
  const grantId = await replaceGrants(
    tx,
    needs.sealer,
    consent,
    wanted.flatMap(({ known }) => known ?? []),
  );
  const connected: ConnectedAccount[] = [];
  for (const { facts, service, identityId, known, avatar } of wanted) {
    const room = await hasRoom(tx, needs, userId, known, connected.length > 0);
    if (!room) {
      connected[0]?.notes.push('Your plan has no room for the other accounts of this consent.');
      break;
    }
    const wish = { ...consent.choices, ...consent.choicesOf?.[facts.remoteId] };
    const { choices, notes } = mergeChoices(connector.choices, facts.choices, known?.choices ?? {}, wish);
    const id = await writeAccount(tx, {
      userId,
      identityId,
      grantId,
      platform,
      service,
      sandbox,
      facts,
      choices,
      avatar,
      factsInMs: DAY_MS * (0.9 + Math.random() / 5),
    });
    if (avatar) await keepAvatar(tx, avatar, known?.avatar ?? null);
    await writeAudit(tx, { userId, actor: consent.actor, action: 'account.connect', subject: id });
    const { username, displayName } = facts;
    connected.push({ id, platform, username, displayName, again: known !== null, notes });
  }
  return connected;
}

interface Wanted {
  facts: AccountFacts;
  service: string;
  identityId: string;
  known: KnownAccount | null;
  avatar: string | undefined;
}

/**
 * Whether the plan allows another account.
 * @param enough if true, returns false instead of throwing, so that the accounts connected so far are kept
 */
async function hasRoom(
  tx: Transaction,
  { plans }: FinishNeeds,
  userId: string,
  known: KnownAccount | null,
  enough: boolean,
): Promise<boolean> {
  if (known && known.status !== 'DISCONNECTED') return true;
  try {
    await plans.assertAccountsLeft(tx, userId);
    return true;
  } catch (error) {
    if (enough && error instanceof ReelayError && error.code === 'plan_limit_reached') return false;
    throw error;
  }
}
