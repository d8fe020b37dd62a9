/** Disconnects accounts in one transaction. The grant loop revokes the ended grant at the platform afterwards. */
import { writeAudit } from '../../audit/write-audit.ts';
import type { Transaction } from '../../db/database.ts';
import { apiError, type ReelayError } from '../../errors/reelay-error.ts';
import { isUuid } from '../../lib/ids.ts';
import { reopenAfterFailure } from '../../lineage/firings.ts';
import { say } from '../../messages/timeline.ts';
import { lockLanes } from '../../queue/lane-locks.ts';
import type { AccountEvents } from '../events.ts';
import { dropAvatar } from '../profile/avatar.ts';
import type { AccountsDependencies, RulesOfAccounts } from '../types.ts';

const DETAIL = say('account_disconnected_before');

type Deps = Pick<AccountsDependencies, 'db' | 'rules'> & { events: AccountEvents };

/**
 * Disconnects an account of the user. Targets that have not started fail with `reconnect_required`. Targets in progress
 * finish with the existing tokens and record their real outcome. The account's rules and picture are removed. A second call reports
 * an unknown account.
 * @throws ReelayError `unknown_platform`
 */
export async function disconnect(
  { db, events, rules }: Deps,
  request: { userId: string; accountId: string; actor: string },
): Promise<void> {
  const { userId, accountId } = request;
  const unknown = () => apiError('account_not_found', { id: accountId });
  if (!isUuid(accountId)) throw unknown();
  for (let platform: string | null = null; platform === null; ) {
    platform = await db
      .transaction((tx) => tryDisconnect(tx, rules, request, unknown))
      .catch((error) => {
        if (error instanceof Again) return null;
        throw error;
      });
    if (platform !== null) events.disconnected({ id: accountId, userId, platform });
  }
}

/** Thrown when more reposts were queued before the rules were locked: rolls back and retries. */
class Again extends Error {}

/**
 * @returns the platform
 * @throws Again
 */
async function tryDisconnect(
  tx: Transaction,
  rules: RulesOfAccounts,
  { userId, accountId, actor }: { userId: string; accountId: string; actor: string },
  unknown: () => ReelayError,
): Promise<string> {
  const [found] = await tx.query<{ identity_id: string; platform: string; grant_id: string | null }>(
    `select identity_id, platform, grant_id from account where id = $1 and user_id = $2 and status <> 'DISCONNECTED'`,
    [accountId, userId],
  );
  if (!found) throw unknown();
  // Lock order, the same everywhere: lanes, then targets, then rules.
  const lanes = [found.identity_id, ...(await rules.queuedBy(tx, accountId))];
  await lockLanes(tx, lanes);
  await failUnbegun(tx, accountId);
  // Before the rules, so that no rule is added meanwhile: adding one also locks the account.
  const [gone] = await tx.query<{ avatar: string | null }>(
    `update account set status = 'DISCONNECTED', disconnected_at = app_now(), due_at = null, lease_until = null
     where id = $1 and status <> 'DISCONNECTED' returning avatar`,
    [accountId],
  );
  if (!gone) throw unknown();
  if (gone.avatar) await dropAvatar(tx, accountId, gone.avatar);
  if (!(await rules.remove(tx, { userId, accountId, lanes }))) throw new Again();
  if (found.grant_id) await endGrant(tx, found.grant_id);
  await writeAudit(tx, { userId, actor, action: 'account.disconnect', subject: accountId });
  return found.platform;
}

/** Targets failed by one statement. */
export const FAILED_AT_ONCE = 2_000;

/**
 * Fails the scheduled targets of an account, with its lane locked. Their user knows, so no notification is written
 * (trigger `target_failed`). Index: target_account.
 */
async function failUnbegun(tx: Transaction, accountId: string): Promise<void> {
  await tx.query(`select set_config('reelay.is_disconnecting', 'on', true)`);
  for (let more = true; more; ) {
    const failed = await tx.query<{ id: string }>(
      `with failed as (
         update target set state = 'failed', code = 'reconnect_required', detail = $2, due_at = null,
           settled_at = app_now(), version = version + 1
         where id in (select id from target where account_id = $1 and state = 'scheduled' and not unproven limit $4)
         returning id)
       insert into timeline (target_id, event, code, params) select id, 'failed', $3, '{}' from failed
       returning target_id as id`,
      [accountId, DETAIL.text, DETAIL.code, FAILED_AT_ONCE],
    );
    // Other users' rules may bring what this account does not.
    await reopenAfterFailure(
      tx,
      failed.map(({ id }) => id),
    );
    more = failed.length === FAILED_AT_ONCE;
  }
  await tx.query(`select set_config('reelay.is_disconnecting', '', true)`);
}

/**
 * Ends a grant when its last account is disconnected. The row lock ensures that one of two concurrent calls sees the
 * last account.
 */
async function endGrant(tx: Transaction, grantId: string): Promise<void> {
  await tx.query('select 1 from access_grant where id = $1 for update', [grantId]);
  await tx.execute(
    `update access_grant set ended_at = app_now(), due_at = app_now()
     where id = $1 and not exists (select 1 from account where grant_id = $1 and status <> 'DISCONNECTED')`,
    [grantId],
  );
}
