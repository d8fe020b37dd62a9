/** Scenario: publishing a due post. */
import { publishProblems, TWO_LEASES_MS } from './invariants.ts';
import type { Scenario } from './scenario.ts';
import type { Account, DatabaseWorld } from './world.ts';

/** Delays before a failed step is retried, and between verifications of an unknown outcome, in ms. */
const PAUSES_MS = 40_000;

async function isSettled(world: DatabaseWorld, id: string): Promise<boolean> {
  return ['posted', 'failed'].includes((await world.target(id)).state);
}

export function publishOn(platform: string): Scenario {
  return {
    name: `publish on ${platform}`,
    withinMs: TWO_LEASES_MS + PAUSES_MS,
    async prepare(world) {
      const account = await world.accountOn(platform);
      const { targets, text } = await world.queue(world.owner, [account]);
      const [id = ''] = targets;
      return {
        begin: () => world.service.context.wake(),
        atRest: () => isSettled(world, id),
        problems: () => publishProblems(world, platform, id, text),
      };
    },
  };
}

/** Accounts whose decisions wait for each other. */
const TOGETHER = 10;

/** Covers the statements that write several decisions. The others are those of a single publish. */
export function publishTogether(platform: string): Scenario {
  const known = new WeakMap<DatabaseWorld, Account[]>();
  const accountsIn = async (world: DatabaseWorld) => {
    const accounts = known.get(world) ?? [];
    for (let n = accounts.length; n < TOGETHER; n++)
      accounts.push(await world.connect(world.owner, platform, `together${n}`));
    known.set(world, accounts);
    return accounts;
  };
  return {
    name: `publish on ${TOGETHER} accounts together`,
    withinMs: TWO_LEASES_MS + PAUSES_MS,
    covers: ({ text }) => text.includes('json_populate_recordset'),
    async prepare(world) {
      const { targets, text } = await world.queue(world.owner, await accountsIn(world));
      return {
        begin: () => world.service.context.wake(),
        atRest: async () => (await Promise.all(targets.map((id) => isSettled(world, id)))).every(Boolean),
        async problems() {
          const states = await Promise.all(targets.map((id) => world.target(id)));
          const published = await world.published(platform, text);
          const bad = states.filter(({ state }) => state !== 'posted').map(({ state, code }) => `${state} (${code})`);
          return [...bad, ...(published === TOGETHER ? [] : [`published ${published} times on ${TOGETHER} accounts`])];
        },
      };
    },
  };
}
