import { expect, test } from 'vitest';
import { drawn, ONE_IN, seeded } from '../harness/draw.ts';
import { campaign } from './campaign.ts';
import { type History, historyOf } from './history.ts';
import { runPure } from './pure.ts';
import { BUGS, type Bug } from './pure-tables.ts';
import { WIDE } from './wide-commands.ts';

const SEED = 10;
/** Seeds for bugs that need more histories with the usual one, which finds each within 10,000. */
const SEEDS: Partial<Record<Bug, number>> = { 'no lane lock': 8 };

test.each(drawn(BUGS, ONE_IN.planted))(seeded('the model detects "%s"'), async (bug) => {
  const run = (history: History) => runPure(history, { bugs: [bug] });
  const failure = await campaign(historyOf(35, WIDE), run, { runs: 1_000, seed: SEEDS[bug] ?? SEED, attempts: 0 });
  expect(failure?.findings.length).toBeGreaterThan(0);
});
