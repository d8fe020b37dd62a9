/** Measures how soon a repost reaches its platform after the source was posted, on an idle service. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Finding, median, milliseconds, quantile, say } from '../kit/figures.ts';
import { withCleanUp, withFolder } from '../kit/folder.ts';
import { startPublishing } from '../kit/publishing.ts';
import { addRules } from '../kit/rules.ts';

const WITHIN_MS = 30_000;

export async function reposts({ quick }: { quick: boolean }): Promise<Finding[]> {
  const count = quick ? 20 : 100;
  return withFolder((folder) =>
    withCleanUp(async (later) => {
      const publishing = await startPublishing(folder, later, { accounts: 2 * count });
      const { database, tiktok } = publishing;
      const { db } = database;
      await publishing.startWorker();
      const accounts = await publishing.connect(1);
      // This measure is about posts made through the service.
      await db.execute(`update account set capabilities = capabilities || '{"watch": "own"}'`);
      const [sources, destinations] = [accounts.slice(0, count), accounts.slice(count)];
      await addRules(
        db,
        sources.map((from, at) => ({ from, to: destinations.slice(at, at + 1) })),
      );
      await db.execute('analyze');
      const afterSettled: number[] = [];
      const afterPublished: number[] = [];
      for (const [at, source] of sources.entries()) {
        const before = await tiktok.ask('seen');
        await publishing.post([source], new Date());
        const posted = 2 * (at + 1);
        let seen = before;
        for (const limit = performance.now() + WITHIN_MS; seen.published.length < posted; ) {
          if (performance.now() > limit) throw new Error('A repost was not published in time.');
          await pause(20);
          seen = await tiktok.ask('seen');
        }
        const [row] = await db.query<{ at: Date }>(
          `select settled_at as at from target where account_id = $1 and state = 'posted'`,
          [source.id],
        );
        // Each account's first call is noted once: the source's, then the destination's.
        const firstByte = seen.firstCalls[posted - 1] ?? Number.NaN;
        afterSettled.push(firstByte - (row?.at.getTime() ?? Number.NaN));
        afterPublished.push(firstByte - (seen.published[posted - 2] ?? Number.NaN));
        // The service is idle before the next post.
        await pause(quick ? 50 : 200);
      }
      const { errors, doubled } = await tiktok.ask('seen');
      if (errors.length > 0 || doubled > 0) throw new Error(`The platform failed: ${errors[0] ?? 'posted twice'}`);
      say(`longest: ${milliseconds(Math.max(...afterSettled))}`);
      const both = (values: readonly number[]) =>
        `${milliseconds(median(values))} / ${milliseconds(quantile(values, 0.99))}`;
      return [
        {
          what: `from an own post to the first call for its repost, ${count} times, idle: p50 / p99`,
          figure: both(afterSettled),
          goal: 'p99 ≤ 1 s',
          met: quantile(afterSettled, 0.99) <= 1_000,
        },
        {
          what: 'the same since TikTok published the post, which its status shows later: p50 / p99',
          figure: both(afterPublished),
        },
      ];
    }),
  );
}
