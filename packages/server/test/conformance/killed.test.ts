/**
 * Cases with workers in separate processes, killed by SIGKILL or frozen by SIGSTOP. By default a sample runs. Platforms
 * run concurrently, because such a case mostly waits; the cases of one platform run sequentially.
 */
import { expect, test } from 'vitest';
import { allConnectors } from '../harness/connectors.ts';
import { drawn, ONE_IN, sampled, seeded } from '../harness/draw.ts';
import { processCasesOf, processes } from '../suites/processes.ts';

const found = sampled(await allConnectors(), ONE_IN.killed, 'killed');
const platforms = await Promise.all(found.map((each) => processCasesOf(each)));
const cases = platforms.flatMap((each) => each.cases);

const some = drawn(cases, ONE_IN.processes);

test('every drawn platform has cases', () => {
  for (const { platform, cases: own } of platforms) expect(own.length, platform).toBeGreaterThan(4);
});

processes(seeded(`${some.length} of ${cases.length} cases with worker processes`), platforms, some);
