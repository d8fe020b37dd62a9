/** Opens sessions: accounts with fresh tokens, for the publishing engine. */
import { LRUCache } from 'lru-cache';
import type { Session } from '../../connectors/contract.ts';
import { batchById } from '../../db/batch-by-id.ts';
import { say } from '../../messages/timeline.ts';
import type { HttpClient } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { OpenAccount, OpenOptions, SessionSource } from '../../publishing/sessions.ts';
import { loadAccounts, writeEnded } from '../account-store.ts';
import type { Platforms } from '../apps/platforms.ts';
import { type Account, type AccountsDependencies, endedBy, type Outcome, refused } from '../types.ts';
import { flowOf } from './token-refresh.ts';
import type { Fresh, Grants } from './token-service.ts';
import { readGrant, writeStale } from './token-store.ts';

export interface Sessions extends SessionSource {
  /** Like `open`, but returns the failure as a value. */
  session(accountId: string, options: SessionOptions): Promise<Outcome<{ open: OpenAccount; fresh: Fresh }>>;
}

export interface SessionOptions extends OpenOptions {
  /** Replaces the default HTTP client. */
  http?: HttpClient;
}

/** Maximum number of accounts whose last used tokens are remembered. */
const REMEMBERED = 10_000;

export function createSessions(
  needs: Pick<AccountsDependencies, 'db' | 'sandbox'> & { platforms: Platforms; grants: Grants },
): Sessions {
  const { db, platforms, grants } = needs;
  const loadShared = batchById(
    (ids) => loadAccounts(db, ids),
    (account) => account.id,
  );
  const handedOut = new LRUCache<string, { grantId: string; version: number }>({ max: REMEMBERED });

  const session: Sessions['session'] = async (accountId, options) => {
    const account = await loadShared(accountId);
    const obstacle = obstacleOf(account, needs.sandbox !== null);
    if (obstacle || !account?.grantId) return refused(obstacle ?? GONE);
    const outcome = await grants.freshSecret(account.grantId, options);
    if (!outcome.ok) return outcome;
    const { fresh } = outcome;
    handedOut.set(accountId, { grantId: account.grantId, version: fresh.version });
    const connector = platforms.connector(account.platform);
    const open: OpenAccount = {
      connector,
      capabilities: account.capabilities,
      accessLeftMs: fresh.lifetimeLeftMs,
      session: openSession({
        account: { ...account, service: platforms.service(account) },
        fresh,
        endpoints: await platforms.endpoints(account.platform, account.sandbox),
        app: platforms.app(account.platform, account.sandbox),
        apps: platforms.apps(account.platform, account.sandbox),
        settings: platforms.settings(account.platform, account.sandbox),
        http: options.http ?? platforms.outbound(account.sandbox).http.request,
        spend: options.spend,
        countReads: options.countReads,
        now: options.now,
      }),
    };
    return { ok: true, open, fresh };
  };

  return {
    connector: platforms.connector,
    session,
    async open(accountId, options) {
      const outcome = await session(accountId, options);
      if (!outcome.ok) throw new PlatformError(outcome.failure);
      return outcome.open;
    },
    async refresh(accountId) {
      const used = handedOut.get(accountId);
      const grant = used && (await readGrant(db, used.grantId));
      // The tokens were replaced after they were read; the next session uses the new ones.
      if (!grant || grant.version !== used.version) return;
      if (!flowOf(platforms, grant)?.refresh) {
        await writeEnded(db, accountId, used.version, 'EXPIRED');
        throw new PlatformError(RUN_OUT);
      }
      await writeStale(db, grant.id, grant.version);
      const outcome = await grants.freshSecret(grant.id, { minLifeMs: 1 });
      if (!outcome.ok) throw new PlatformError(outcome.failure);
    },
    async refused(accountId, failure) {
      const used = handedOut.get(accountId);
      if (used) await writeEnded(db, accountId, used.version, endedBy(failure));
    },
  };
}

const GONE: Failure = { kind: 'reconnect', detail: say('account_disconnected') };
const ENDED: Failure = { kind: 'reconnect', detail: say('access_ended') };
const RUN_OUT: Failure = { kind: 'reconnect', detail: say('access_expired') };
const NO_SANDBOX: Failure = { kind: 'setup', detail: say('sandbox_off') };

/**
 * Returns why the account cannot be used, or null. A disconnected account still finishes its targets in progress. Pure.
 */
function obstacleOf(account: Account | undefined, sandbox: boolean): Failure | null {
  if (!account?.grantId) return GONE;
  if (account.status === 'EXPIRED' || account.status === 'REVOKED') return ENDED;
  return account.sandbox && !sandbox ? NO_SANDBOX : null;
}

/** Builds a session from its parts. Pure. */
export function openSession(
  parts: {
    account: Account;
    fresh: Fresh;
  } & Pick<Session, 'endpoints' | 'settings' | 'app' | 'apps' | 'http' | 'spend' | 'countReads' | 'now'>,
): Session {
  const { account, fresh, ...rest } = parts;
  return {
    ...rest,
    service: account.service,
    remoteId: account.remoteId,
    username: account.username,
    extra: account.extra,
    choices: account.choices,
    secret: fresh.tokens.secret,
    sandbox: account.sandbox,
  };
}
