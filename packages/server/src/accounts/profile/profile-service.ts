/** Daily refresh of an account's name, picture and capabilities. */

import type { AccountFacts } from '../../connectors/contract.ts';
import { cleanText, storableJson, TEXT_LIMITS, webUrl, wholeOrNull } from '../../lib/text.ts';
import { DAY, MINUTE } from '../../lib/time.ts';
import { keepPicture } from '../../media/picture-store.ts';
import { say } from '../../messages/timeline.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import { READING_SHARE } from '../../publishing/budgets.ts';
import { type Claim, dueRows } from '../../queue/claim.ts';
import { loadAccounts, writeEnded, writeFacts } from '../account-store.ts';
import type { Platforms } from '../apps/platforms.ts';
import type { AccountEvents } from '../events.ts';
import { asking } from '../failures.ts';
import { backOffMs } from '../tokens/token-lifetime.ts';
import type { Fresh, Grants } from '../tokens/token-service.ts';
import { writeStale } from '../tokens/token-store.ts';
import { type Account, type AccountsDependencies, endedBy } from '../types.ts';
import { fetchPicture, isSamePicture, pictureGuard, storeAvatar } from './avatar.ts';
import { spendIdentify } from './identify-budget.ts';

/** Due accounts. Index: account_due. */
export const dueAccounts = dueRows<{ id: string }>('account', { user: 'user_id', service: 'service' });

type Deps = Pick<AccountsDependencies, 'db' | 'storage' | 'sandbox'> & {
  platforms: Platforms;
  grants: Grants;
  events: AccountEvents;
};

/**
 * Refreshes the facts of one claimed account. An account that must be reconnected is not due again until it has been.
 */
export async function refreshFacts(deps: Deps, claim: Claim<{ id: string }>): Promise<void> {
  const { db, events } = deps;
  const release = (afterMs: number | null, failed: boolean) => dueAccounts.release(db, claim, { afterMs, failed });
  const tomorrow = () => DAY * (0.9 + Math.random() / 5);
  const [account] = await loadAccounts(db, [claim.key]);
  if (account?.status !== 'CONNECTED' || !account.grantId) return void (await release(null, false));
  if (account.sandbox && !deps.sandbox) return void (await release(tomorrow(), false));
  const failure = await look(deps, { ...account, grantId: account.grantId }, 1);
  if (!failure) return void (await release(tomorrow(), false));
  events.factsFailed(account, failure);
  const asked = 'waitMs' in failure ? (failure.waitMs ?? 0) : 0;
  await release(Math.max(backOffMs(claim.attempts, asked, Math.random()), 5 * MINUTE), true);
}

/**
 * Refreshes the facts of one account without a claim. Two refreshes at once write the same facts. A user may do it at any time,
 * so it uses a part of the budget only.
 * @returns whether the platform responded
 */
export async function refreshNow(deps: Deps, accountId: string): Promise<boolean> {
  const [account] = await loadAccounts(deps.db, [accountId]);
  if (account?.status !== 'CONNECTED' || !account.grantId) return false;
  if (account.sandbox && !deps.sandbox) return false;
  const failure = await look(deps, { ...account, grantId: account.grantId }, READING_SHARE);
  if (failure) deps.events.factsFailed(account, failure);
  return failure === null;
}

/** @param share the part of the budget that may be used */
async function look(deps: Deps, account: Account & { grantId: string }, share: number): Promise<Failure | null> {
  const outcome = await deps.grants.freshSecret(account.grantId, { minLifeMs: MINUTE });
  if (!outcome.ok) return outcome.failure;
  const { fresh } = outcome;
  const empty = await spendIdentify(deps, { ...account, accountId: account.id }, share);
  if (empty) return empty;
  let facts: AccountFacts | null;
  try {
    facts = await asking(() => find(deps, account, fresh));
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const { failure } = error;
    if (failure.kind === 'reconnect') await writeEnded(deps.db, account.id, fresh.version, endedBy(failure));
    if (failure.kind === 'tokenExpired') await writeStale(deps.db, account.grantId, fresh.version);
    return failure;
  }
  if (!facts) return null;
  const service = facts.service ?? fresh.tokens.service;
  if (await writeFacts(deps.db, account, { ...facts, service })) await renewPicture(deps, account, facts);
  return null;
}

/** Asks the platform about this account; null if the consent no longer covers it. */
async function find(deps: Deps, account: Account, fresh: Fresh): Promise<AccountFacts | null> {
  const connector = deps.platforms.connector(account.platform);
  const context = await deps.platforms.context(account.platform, account.sandbox);
  const all = connector.identifyAll
    ? await connector.identifyAll(context, fresh.tokens)
    : [await connector.identify(context, fresh.tokens)];
  const own = all.find((facts) => facts.remoteId === account.remoteId);
  return own ? storedFacts(own) : null;
}

async function renewPicture(deps: Deps, account: Account, { avatarUrl }: AccountFacts): Promise<void> {
  if (!avatarUrl) return;
  const { db, storage, events } = deps;
  const guard = pictureGuard(deps.platforms.outbound(account.sandbox).guard, account);
  const fetched = await fetchPicture(avatarUrl, guard);
  if ('problem' in fetched) return events.avatarFailed(account.platform, fetched.problem);
  if (await isSamePicture(storage, account.avatar, fetched.bytes)) return;
  const filename = await storeAvatar(db, storage, fetched).catch(() => null);
  if (!filename) return events.avatarFailed(account.platform, 'storage');
  await db.transaction(async (tx) => {
    const written = await tx.execute(
      `update account set avatar = $2 where id = $1 and avatar is not distinct from $3 and status <> 'DISCONNECTED'`,
      [account.id, filename, account.avatar],
    );
    if (written > 0) await keepPicture(tx, filename, account.avatar);
  });
}

/** Maximum length of the JSON of `choices` and `extra` together, in bytes. */
const MAX_JSON = 1024 * 1024;
/** The same for accounts on servers that users name. */
const MAX_JSON_OF_SERVER = 4_096;

/** @throws PlatformError if the account's id or server, or `choices` and `extra` together, are too long to store */
export function storedFacts(facts: AccountFacts): AccountFacts {
  const remoteId = wholeOrNull(facts.remoteId, TEXT_LIMITS.remoteId);
  const service = facts.service === undefined ? undefined : wholeOrNull(facts.service, TEXT_LIMITS.remoteId);
  const extra = storableJson(facts.extra ?? {}) as AccountFacts['extra'];
  const choices = storableJson(facts.choices) as AccountFacts['choices'];
  const maxJson = service ? MAX_JSON_OF_SERVER : MAX_JSON;
  if (remoteId === null || service === null || size(extra) + size(choices) > maxJson)
    throw new PlatformError({ kind: 'setup', detail: say('account_data_too_large') });
  return {
    ...facts,
    remoteId,
    username: cleanText(facts.username, TEXT_LIMITS.name),
    displayName: cleanText(facts.displayName, TEXT_LIMITS.name),
    avatarUrl: webUrl(facts.avatarUrl) ?? '',
    extra,
    ...(choices === undefined ? {} : { choices }),
    ...(service === undefined ? {} : { service }),
  };
}

function size(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}
