/** Scenario: a post whose video must be converted first for the platform. */
import { makeVideo } from '../../media/fixtures.ts';
import { publishProblems, TWO_LEASES_MS } from './invariants.ts';
import type { Scenario } from './scenario.ts';

/** Twice the lease of a rendition (30 s), and the delays of the publish, in ms. */
const PAUSES_MS = 100_000;

export function convertFor(platform: string, extension: 'mov'): Scenario {
  return {
    name: `convert for ${platform}`,
    withinMs: TWO_LEASES_MS + PAUSES_MS,
    async prepare(world) {
      const { context } = world.service;
      const account = await world.accountOn(platform);
      const mediaId = await world.store(world.owner.userId, await makeVideo({ extension }));
      const { targets, text } = await world.queue(world.owner, [account], mediaId);
      const [id = ''] = targets;
      return {
        begin: () => context.wake(),
        atRest: async () => ['posted', 'failed'].includes((await world.target(id)).state),
        problems: async () => {
          const made = await world.service.db.query('select from rendition where media_id = $1', [mediaId]);
          const count = made.length === 1 ? [] : [`${made.length} renditions of the video`];
          return [...count, ...(await publishProblems(world, platform, id, text))];
        },
      };
    },
  };
}
