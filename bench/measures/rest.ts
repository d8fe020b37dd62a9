/** Measures the memory of an idle service, and how long it takes to start. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Finding, median, megabytes, say, seconds } from '../kit/figures.ts';
import { withCleanUp, withFolder } from '../kit/folder.ts';
import { addGuest, openDatabase } from '../kit/guest.ts';
import { load } from '../kit/load.ts';
import { alone, family, nameOf, pss } from '../kit/processes.ts';
import { addPosts } from '../kit/rows.ts';
import { startService } from '../kit/service.ts';

const REST_MS = 10_000;

export async function rest({ quick }: { quick: boolean }): Promise<Finding[]> {
  return withFolder((folder) =>
    withCleanUp(async (later) => {
      const first = await startService(folder);
      await first.stop();
      const starts: number[] = [];
      for (let round = 0; round < 4; round++) {
        const again = await startService(folder);
        starts.push(again.readyMs);
        await again.stop();
      }
      say(`starts: ${[first.readyMs, ...starts].map(seconds).join(', ')}`);
      const service = await startService(folder);
      later(service.stop);
      await pause(REST_MS);
      const fresh = memoryOf(service.pid);
      const db = await openDatabase(folder);
      const guest = await addGuest(db, folder, 5);
      await addPosts(db, guest, 10_000);
      await db.close();
      await load({
        url: `${service.url}/api/v1/post/history`,
        headers: { authorization: `Bearer ${guest.key}` },
        count: quick ? 1_000 : 5_000,
        connections: 8,
      });
      await pause(REST_MS);
      const later10 = memoryOf(service.pid);
      return [
        { what: 'first start, on an empty folder', figure: seconds(first.readyMs) },
        {
          what: 'later starts, to the first 200 of /health/ready',
          figure: seconds(median(starts)),
          goal: '≤ 3 s',
          met: median(starts) <= 3_000,
        },
        {
          what: 'memory at rest, PostgreSQL included, 10 s after the start',
          figure: inWords(fresh),
          goal: '≤ 200 MB',
          met: fresh.all <= 200e6,
        },
        {
          what: 'the same 10 s after a burst of requests',
          figure: inWords(later10),
          goal: '≤ 200 MB',
          met: later10.all <= 200e6,
        },
      ];
    }),
  );
}

interface Memory {
  all: number;
  node: number;
  postgres: number;
  /** Sum of the proportional set sizes. It decreases as more other programs share pages. */
  pss: number;
}

/** Memory of a service and all its descendants. */
export function memoryOf(pid: number): Memory {
  const pids = family(pid);
  const postgres = alone(pids.filter((each) => nameOf(each) === 'postgres'));
  const node = alone(pids.filter((each) => nameOf(each) !== 'postgres'));
  return { all: node + postgres, node, postgres, pss: pids.reduce((sum, each) => sum + pss(each), 0) };
}

function inWords({ all, node, postgres, pss }: Memory): string {
  return `${megabytes(all)} (Node ${megabytes(node)}, PostgreSQL ${megabytes(postgres)}); PSS ${megabytes(pss)}`;
}
