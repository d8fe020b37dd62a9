/**
 * Workers that are processes of their own, killed by SIGKILL or frozen by SIGSTOP: some of the cases, unless all are
 * asked for. Platforms are taken side by side, since such a case mostly waits; the cases of one come after each other.
 */
import { expect, test } from 'vitest';
import { allConnectors } from '../harness/connectors.ts';
import { drawn, ONE_IN, seeded } from '../harness/draw.ts';
import { processCasesOf, processes } from '../suites/processes.ts';

const found = drawn(await allConnectors(), ONE_IN.killed, 'killed');
const platforms = await Promise.all(found.map((each) => processCasesOf(each)));
const cases = platforms.flatMap((each) => each.cases);

const some = drawn(cases, ONE_IN.processes);

test('every drawn platform has cases', () => {
  for (const { platform, cases: own } of platforms) expect(own.length, platform).toBeGreaterThan(4);
});

processes(seeded(`${some.length} of ${cases.length} cases with processes of their own`), platforms, some);
