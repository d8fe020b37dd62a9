/** Scenario: publishing a due post. */
import { publishProblems, TWO_LEASES_MS } from './invariants.ts';
import type { Scenario } from './scenario.ts';

/** Delays before a failed step is retried, and between verifications of an unknown outcome, in ms. */
const PAUSES_MS = 40_000;

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
        atRest: async () => ['posted', 'failed'].includes((await world.target(id)).state),
        problems: () => publishProblems(world, platform, id, text),
      };
    },
  };
}
