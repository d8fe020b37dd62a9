import { expect, test } from 'vitest';
import { drawn, ONE_IN, seeded } from '../harness/draw.ts';
import { campaign } from './campaign.ts';
import { type History, historyOf, type Job } from './history.ts';
import { runPure } from './pure.ts';
import { BUGS, type Bug } from './pure-tables.ts';

const work = (job: Job, on = 0) => ({ do: 'run', job, on, steps: 9, end: 'done' }) as const;

/** Histories for bugs that generated ones rarely meet. */
const RARE: Partial<Record<Bug, History>> = {
  'failed repost keeps its account': [
    { do: 'addRule', user: 0, from: 1, to: [3] },
    { do: 'addRule', user: 0, from: 2, to: [3] },
    { do: 'post', user: 0, to: [1, 2], words: 'own' },
    work('publish', 1),
    work('publish', 2),
    work('fire'),
    work('fire'),
    { ...work('publish', 3), send: 'rejected' },
  ],
  'queued copies ignored': [
    { do: 'addRule', user: 0, from: 0, to: [2] },
    { do: 'addRule', user: 0, from: 1, to: [2] },
    { do: 'phone', on: 0, words: 'same' },
    { do: 'phone', on: 1, words: 'same' },
  ],
  'skipped repost lost with a rule': [
    { do: 'addRule', user: 0, from: 1, to: [3] },
    { do: 'addRule', user: 0, from: 2, to: [3] },
    { do: 'post', user: 0, to: [1, 2], words: 'own' },
    work('publish', 1),
    work('publish', 2),
    work('fire'),
    work('fire'),
    { do: 'deleteRule', rule: 0 },
  ],
};

// The seed is fixed: the number of histories that a bug needs varies from 1 to 2,000.
test.each(drawn(BUGS, ONE_IN.planted))(seeded('the model detects "%s"'), async (bug) => {
  const run = (history: History) => runPure(history, { bugs: [bug] });
  const rare = RARE[bug];
  const failure = rare
    ? { findings: await run(rare) }
    : await campaign(historyOf(35), run, { runs: 5_000, seed: 7, attempts: 0 });
  expect(failure?.findings.length).toBeGreaterThan(0);
});

test.each(Object.entries(RARE))('the history of "%s" agrees without the bug', async (_, history) => {
  expect(await runPure(history)).toEqual([]);
});
