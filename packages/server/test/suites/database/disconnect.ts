/** Scenario: disconnecting an account with a scheduled post and a rule, up to the revocation at the platform. */
import { addRule } from '../../../src/reposts/service.ts';
import { addPost } from '../../harness/rows.ts';
import { persistently, type Sent, watch } from './client.ts';
import { TWO_LEASES_MS } from './invariants.ts';
import type { Scenario } from './scenario.ts';

const HOUR = 3_600_000;
/** The lease of an abandoned grant (60 s) and the delay after a failure, in ms. */
const PAUSES_MS = 120_000;

export function disconnectFrom(platform: string): Scenario {
  return {
    name: 'disconnect',
    withinMs: TWO_LEASES_MS + PAUSES_MS,
    async prepare(world) {
      const { db, context } = world.service;
      const user = world.owner;
      const { userId } = user;
      const [account, destination] = [await world.connect(user, platform), await world.accountOn('bluesky')];
      const settings = { plans: context.config.plans, sandbox: true };
      await addRule({ db, config: settings, connectors: {} }, userId, { from: account.id, to: [destination.id] });
      const { mediaId } = user;
      const { targets } = await addPost(db, { userId, mediaId, accounts: [account], dueInMs: HOUR });
      const [grant] = await db.query<{ id: string }>('select grant_id as id from account where id = $1', [account.id]);
      const isThere = async (sql: string, id: unknown) => (await db.query(sql, [id])).length > 0;
      const hasGrant = () => isThere('select from access_grant where id = $1', grant?.id);
      let sent: Sent | null = null;
      return {
        begin: () => {
          sent = watch(persistently(() => user.call('DELETE', `/accounts/${account.id}`)));
        },
        atRest: async () => (sent?.ended() ?? false) && !(await hasGrant()),
        async problems() {
          const { state, code } = await world.target(targets[0] ?? '');
          const [row] = await db.query<{ status: string }>('select status from account where id = $1', [account.id]);
          // A retry after a lost response finds the account gone.
          return [
            ...(sent?.got(200, 404) ? [] : [`the client got ${sent?.told()}`]),
            ...(row?.status === 'DISCONNECTED' ? [] : [`the account is ${row?.status}`]),
            ...(state === 'failed' && code === 'reconnect_required' ? [] : [`the post is ${state} (${code})`]),
            ...((await isThere('select from rule where from_account = $1', account.id)) ? ['the rule is left'] : []),
            ...((await hasGrant()) ? ['the access was not given back'] : []),
          ];
        },
      };
    },
  };
}
