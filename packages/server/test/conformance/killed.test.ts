/**
 * Workers that are processes of their own, killed by SIGKILL or frozen by SIGSTOP. A seeded tenth of the cases runs
 * always; REELAY_TEST_FULL=1 runs all. REELAY_TEST_SEED repeats a draw. Platforms are taken side by side, since such a case
 * mostly waits; the cases of one come after each other.
 */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { allConnectors } from '../harness/connectors.ts';
import { processCasesOf, processes } from '../suites/processes.ts';

const full = process.env.REELAY_TEST_FULL === '1';
const seed = Number(process.env.REELAY_TEST_SEED ?? Date.now() % 100_000);

const platforms = await Promise.all((await allConnectors()).map((found) => processCasesOf(found)));
const cases = platforms.flatMap((each) => each.cases);

/** The same draw for the same seed: the tenth of the cases whose numbers hash lowest. */
const drawOf = (index: number) => createHash('sha256').update(`${seed} ${index}`).digest('hex');
const byDraw = cases.map((each, index) => ({ each, draw: drawOf(index) })).sort((a, b) => (a.draw < b.draw ? -1 : 1));
const drawn = byDraw.slice(0, full ? cases.length : Math.ceil(cases.length / 10)).map(({ each }) => each);

test('every platform has cases', () => {
  for (const { platform, cases: own } of platforms) expect(own.length, platform).toBeGreaterThan(4);
});

processes(`${drawn.length} of ${cases.length} cases with processes of their own, seed ${seed}`, platforms, drawn);
