/** Scenarios: refreshing tokens on a platform that rotates them. The new tokens must never be lost. */
import { publishProblems, TWO_LEASES_MS } from './invariants.ts';
import type { Scenario } from './scenario.ts';
import type { Account, DatabaseWorld } from './world.ts';

/** A refresh is not sent again within 25 seconds, and then with growing delays from 30 seconds. In ms. */
const PAUSES_MS = 120_000;

/** Just before a post, because the access is about to expire. */
export function refreshForPost(platform: string): Scenario {
  return {
    name: `refresh on ${platform} for a post`,
    withinMs: TWO_LEASES_MS + PAUSES_MS,
    async prepare(world) {
      const account = await world.connect(world.owner, platform);
      const { targets, text } = await world.queue(world.owner, [account]);
      const [id = ''] = targets;
      await expire(world, account, '1 minute');
      return {
        begin: () => world.service.context.wake(),
        atRest: async () => ['posted', 'failed'].includes((await world.target(id)).state),
        problems: async () => [
          ...(await publishProblems(world, platform, id, text)),
          ...(await accessProblems(world, account)),
        ],
      };
    },
  };
}

/** Ahead of expiry, by the loop. */
export function refreshAhead(platform: string): Scenario {
  return {
    name: `refresh on ${platform} ahead of need`,
    withinMs: TWO_LEASES_MS + PAUSES_MS,
    async prepare(world) {
      const account = await world.connect(world.owner, platform);
      const version = await versionOf(world, account);
      await expire(world, account, '5 minutes');
      return {
        begin: () => {},
        atRest: async () => (await versionOf(world, account)) > version,
        problems: () => accessProblems(world, account),
      };
    },
  };
}

async function expire({ service }: DatabaseWorld, { id }: Account, left: string): Promise<void> {
  await service.db.execute(
    `update access_grant set expires_at = app_now() + $2::interval, due_at = app_now()
     where id = (select grant_id from account where id = $1)`,
    [id, left],
  );
}

async function versionOf({ service }: DatabaseWorld, { id }: Account): Promise<number> {
  const [row] = await service.db.query<{ version: number }>(
    'select g.version from access_grant g join account a on a.grant_id = g.id where a.id = $1',
    [id],
  );
  return row?.version ?? -1;
}

/** Checks that the stored tokens are the platform's latest, by refreshing and using them once more. */
async function accessProblems(world: DatabaseWorld, account: Account): Promise<string[]> {
  const [row] = await world.service.db.query<{ status: string }>('select status from account where id = $1', [
    account.id,
  ]);
  if (row?.status !== 'CONNECTED') return [`the account is ${row?.status}`];
  await expire(world, account, '1 minute');
  const { targets, text } = await world.queue(world.owner, [account]);
  const [id = ''] = targets;
  await world.time.until(async () => ['posted', 'failed'].includes((await world.target(id)).state), PAUSES_MS);
  const problems = await publishProblems(world, account.platform, id, text);
  return problems.map((problem) => `with the renewed access: ${problem}`);
}
