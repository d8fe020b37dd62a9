/** Scenario: a rule that reposts from one account to another: the post, its event, and the repost. */
import { addRule } from '../../../src/reposts/service.ts';
import { publishProblems, TWO_LEASES_MS } from './invariants.ts';
import type { Scenario } from './scenario.ts';
import type { Account, DatabaseWorld } from './world.ts';

/** The lease of an abandoned event, and the delays of two publishes, in ms. */
const PAUSES_MS = 120_000;

export function repostBetween(from: string, to: string): Scenario {
  return {
    name: `repost from ${from} to ${to}`,
    withinMs: TWO_LEASES_MS + PAUSES_MS,
    async prepare(world) {
      const { db, context } = world.service;
      const [source, destination] = [await world.accountOn(from), await world.accountOn(to)];
      await addRuleOnce(world, source, destination);
      const { postId, targets, text } = await world.queue(world.owner, [source]);
      const reposts = () =>
        db.query<{ id: string; settled: boolean }>(
          'select id, due_at is null as settled from target where origin_id = $1 and post_id <> $1',
          [postId],
        );
      return {
        begin: () => context.wake(),
        async atRest() {
          const made = await reposts();
          return made.length > 0 && made.every(({ settled }) => settled);
        },
        async problems() {
          const made = await reposts();
          const found = await publishProblems(world, from, targets[0] ?? '', text);
          if (made.length !== 1) return [...found, `the rule made ${made.length} reposts`];
          return [...found, ...(await publishProblems(world, to, made[0]?.id ?? '', text))];
        },
      };
    },
  };
}

async function addRuleOnce({ service, owner }: DatabaseWorld, from: Account, to: Account): Promise<void> {
  const { db, context } = service;
  if ((await db.query('select from rule where from_account = $1', [from.id])).length > 0) return;
  const settings = { plans: context.config.plans, sandbox: true };
  await addRule({ db, config: settings, connectors: {} }, owner.userId, { from: from.id, to: [to.id] });
}
