import { afterAll, expect, test } from 'vitest';
import { loadSimulator } from '../../../sandbox/src/registry.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { HOUR } from '../../src/lib/time.ts';
import { provided } from '../harness/provided.ts';
import { BASIC_SCENES } from './basic-scenes.ts';
import { campaign, describeFailure, findingsOf, type RunHistory } from './campaign.ts';
import { createModelDatabase, type ModelDatabase } from './database.ts';
import { type Command, type History, historyOf } from './history.ts';
import { type Figures, runPure } from './pure.ts';
import { WIDE } from './wide-commands.ts';

interface Options {
  kind: 'pure' | 'database';
  runs: number;
  seed: number;
  /** See CampaignOptions. */
  attempts?: number;
  replay?: History;
}

/** Set by `npm run model`. */
const given: Options | undefined = process.env.REELAY_MODEL && JSON.parse(process.env.REELAY_MODEL);
const all: Options[] = given
  ? [given]
  : [
      { kind: 'pure', runs: 300, seed: 4714 },
      { kind: 'database', runs: 2, seed: 5 },
    ];

/** Histories that led to a mistake once. */
const FOUND: Record<string, History> = {
  'an owner removes a post before it is confirmed': [
    { do: 'addRule', user: 0, from: 3, to: [1] },
    { do: 'post', user: 0, to: [2, 3], words: 'own' },
    { do: 'run', job: 'publish', on: 2, steps: 4, end: 'done', send: 'blindVoid' },
    { do: 'advance', ms: HOUR },
    { do: 'settle' },
    { do: 'addRule', user: 1, from: 1, to: [2] },
    { do: 'remove', item: 3 },
  ],
};

let database: ModelDatabase | null = null;
afterAll(() => database?.close());

async function openDatabase(): Promise<ModelDatabase> {
  const { mastodon: connector } = connectors;
  const module = await loadSimulator.mastodon?.();
  if (!connector || !module) throw new Error('The platform of the model is missing.');
  const isSend = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && path === '/api/v1/statuses';
  return createModelDatabase({ connector, module, isSend }, provided('tools'));
}

test.each(all)(
  '$runs $kind histories agree with the model, seed $seed',
  async ({ kind, runs, seed, attempts, replay }) => {
    const figures: Figures = {};
    if (kind === 'database') database ??= await openDatabase();
    const run: RunHistory<Command> = (history) =>
      database && kind === 'database' ? database.run(history, figures) : runPure(history, { figures });
    const failure = replay
      ? { history: replay, findings: await findingsOf(run, replay) }
      : await campaign(kind === 'pure' ? historyOf(35, WIDE) : historyOf(14, BASIC_SCENES), run, {
          ...{ runs, seed },
          attempts: attempts ?? (kind === 'pure' ? 1_000 : 40),
        });
    if (given) report(figures);
    const isGood = !failure || failure.findings.length === 0;
    expect(isGood ? '' : describeFailure(failure, kind === 'database' ? '--steps' : '--pure')).toBe('');
  },
  24 * 3_600_000,
);

test.skipIf(given).each(Object.entries(FOUND))('the model agrees when %s', async (_, history) => {
  database ??= await openDatabase();
  const run: RunHistory<Command> = (each) => (database as ModelDatabase).run(each);
  expect(await findingsOf(run, history)).toEqual([]);
});

function report(figures: Figures): void {
  const lines = Object.entries(figures).sort(([a], [b]) => (a < b ? -1 : 1));
  console.log(lines.map(([name, count]) => `${String(count).padStart(9)} ${name}`).join('\n'));
}
