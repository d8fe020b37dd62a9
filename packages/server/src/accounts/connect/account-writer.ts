/** The last step of every way to connect: identifies the accounts of the tokens and stores them. */

import { writeAudit } from '../../audit/write-audit.ts';
import type { AccountFacts, Connector } from '../../connectors/contract.ts';
import type { Transaction } from '../../db/database.ts';
import { ReelayError } from '../../errors/reelay-error.ts';
import { assertStillWanted } from '../../keys/credential.ts';
import { DAY } from '../../lib/time.ts';
import { keepPicture } from '../../media/picture-store.ts';
import { say as sayConnect } from '../../messages/connect.ts';
import type { Message } from '../../messages/message.ts';
import { say } from '../../messages/timeline.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import { lockPlan } from '../../plans/plan-store.ts';
import { identityService, type KnownAccount, lockAccount, upsertIdentity, writeAccount } from '../account-store.ts';
import type { Platforms } from '../apps/platforms.ts';
import type { AccountEvents } from '../events.ts';
import { fetchPicture, pictureGuard, storeAvatar } from '../profile/avatar.ts';
import { mergeChoices } from '../settings/account-settings.ts';
import { missingScopes } from '../tokens/scopes.ts';
import { lifeProblem } from '../tokens/token-lifetime.ts';
import { assertTokenSize } from '../tokens/token-size.ts';
import { type ConsentTokens, replaceGrants } from '../tokens/token-store.ts';
import type { AccountsDependencies } from '../types.ts';
import { type ChosenValues, identifyFound, type Progress } from './account-selection.ts';
import { noteStep } from './attempt-store.ts';

export interface Consent extends Omit<ConsentTokens, 'whole'> {
  /** The owner's choices, by name. */
  choices: Record<string, string>;
  /** Choices made for a single account. */
  choicesOf?: ChosenValues;
  /** Who asked, for the audit log. */
  actor: string;
  /** The session that asked, if it must still exist. */
  sessionId?: string | undefined;
}

export interface ConnectedAccount {
  id: string;
  platform: string;
  username: string;
  displayName: string;
  /** Whether it had been connected before. */
  again: boolean;
  /** Notes for the owner, as sentences. */
  notes: Message[];
}

export type FinishDeps = Pick<AccountsDependencies, 'db' | 'sealer' | 'storage' | 'plans' | 'publicUrl'> & {
  platforms: Platforms;
  events: AccountEvents;
};

/**
 * Identifies the owner of the tokens and stores the accounts.
 * @throws PlatformError with the platform's refusal, or the scopes that were not granted
 * @throws ReelayError `plan_limit_reached`
 */
export async function finishConnect(deps: FinishDeps, consent: Consent): Promise<ConnectedAccount[]> {
  assertUsable(deps.platforms.connector(consent.platform), consent);
  return connectFound(deps, consent, await identifyFound(deps, consent));
}

/**
 * Stores accounts in one transaction.
 * @throws ReelayError `plan_limit_reached`
 */
export async function connectFound(
  deps: FinishDeps,
  consent: Consent,
  found: readonly AccountFacts[],
): Promise<ConnectedAccount[]> {
  const connector = deps.platforms.connector(consent.platform);
  const pictures = await Promise.all(found.map((facts) => picture(deps, consent, facts)));
  const connected = await deps.db.transaction((tx) => write(tx, deps, connector, consent, found, pictures));
  for (const { id, again } of connected)
    deps.events.connected({ id, again, userId: consent.userId, platform: consent.platform, sandbox: consent.sandbox });
  return connected;
}

/** @throws PlatformError if a token is too long, its lifetime is invalid, or a scope is missing */
export function assertUsable(connector: Connector, { kind, tokens }: Pick<Consent, 'kind' | 'tokens'>): void {
  assertTokenSize(connector.name, tokens);
  const problem = lifeProblem(tokens.expiresIn) ?? lifeProblem(tokens.refreshExpiresIn);
  if (problem)
    throw new PlatformError({
      kind: 'transient',
      detail: say('token_lifetime_invalid', { platform: connector.name, problem }),
    });
  if (kind !== 'oauth' || !connector.oauth) return;
  const missing = missingScopes(connector.oauth, tokens.scopes);
  if (missing.length === 0) return;
  throw new PlatformError({
    kind: 'rejected',
    what: 'permission',
    detail: say('scopes_missing', { platform: connector.name, scopes: missing.join(', ') }),
  });
}

/** Copies the profile picture and returns its file name; undefined if that fails. */
async function picture(
  { platforms, db, storage, events }: FinishDeps,
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
  deps: FinishDeps,
  connector: Connector,
  consent: Consent,
  found: readonly AccountFacts[],
  pictures: readonly (string | undefined)[],
): Promise<ConnectedAccount[]> {
  const { userId, platform, sandbox, kind, tokens } = consent;
  const whole = kind === 'oauth' ? (connector.oauth?.consentOf?.(tokens) ?? null) : null;
  // Lock the user first, as everywhere that rules and limits are counted.
  await lockPlan(tx, userId);
  await assertStillWanted(tx, userId, consent.sessionId ?? null);
  const wanted: Wanted[] = [];
  for (const [index, facts] of found.entries()) {
    const service = facts.service ?? tokens.service;
    const key = { platform, service: identityService(facts, service, sandbox), remoteId: facts.remoteId };
    const identityId = await upsertIdentity(tx, key, { userId, ownServer: service !== '' });
    const known = await lockAccount(tx, userId, identityId);
    wanted.push({ facts, service, identityId, known, avatar: pictures[index] });
  }
  const grantId = await replaceGrants(
    tx,
    deps.sealer,
    { ...consent, whole },
    wanted.flatMap(({ known }) => known ?? []),
  );
  const connected: ConnectedAccount[] = [];
  for (const { facts, service, identityId, known, avatar } of wanted) {
    const room = await allowsAccount(tx, deps, userId, known, connected.length > 0);
    if (!room) {
      connected[0]?.notes.push(sayConnect('plan_full'));
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
      factsInMs: DAY * (0.9 + Math.random() / 5),
    });
    if (avatar) await keepPicture(tx, avatar, known?.avatar ?? null);
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
async function allowsAccount(
  tx: Transaction,
  { plans }: FinishDeps,
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

/**
 * Stores the accounts and records the step.
 * @throws ReelayError `plan_limit_reached`
 */
export async function connectNoted(
  deps: FinishDeps,
  progress: Progress,
  consent: Consent,
  found: readonly AccountFacts[],
): Promise<ConnectedAccount[]> {
  progress.step = 'stored';
  const connected = await connectFound(deps, consent, found);
  const names = connected.map(({ username }) => username).join(', ');
  await noteStep(deps.db, progress.id, 'stored', sayConnect('accounts_connected', { names }));
  return connected;
}
