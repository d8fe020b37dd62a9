import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { HOUR, SECOND } from '../../src/lib/time.ts';
import { provided } from '../harness/provided.ts';
import { campaign, describeFailure, findingsOf, kindOf, type RunHistory, shorten } from './campaign.ts';
import { createReferenceDatabase, type ReferenceDatabase } from './database-reference.ts';
import type { Command, GeneratedHistory } from './history-generator.ts';
import { generatedHistory } from './history-scenes.ts';
import { CONSTELLATIONS, countConstellations, countReasons } from './reference/constellations.ts';
import { judge } from './reference/reference.ts';

interface Options {
  runs: number;
  seed: number;
  /** Maximum number of commands and scenes of a history. */
  parts: number;
  /** How often a failing history is run again to make it shorter. */
  attempts: number;
  replay?: GeneratedHistory;
  /** Runs histories for this time in seconds, and lists the kinds of contradictions. */
  survey?: number;
}

/** Set by `npm run model -- --database`. */
const given: Partial<Options> | undefined = process.env.REELAY_MODEL && JSON.parse(process.env.REELAY_MODEL);
const options: Options = { runs: 2, seed: 31, parts: given ? 18 : 4, attempts: 40, ...given };
const { runs, seed, parts, attempts, replay } = options;

const removedEarly = (item: number): GeneratedHistory => [
  { do: 'addRule', user: 0, from: 4, to: [0] },
  { do: 'post', user: 0, to: [0, 4], words: 'own', length: 'short' },
  { do: 'work', ms: SECOND },
  { do: 'remove', item },
  { do: 'work', ms: 2 * HOUR },
];

/** Histories that led to a mistake once. */
const FOUND: Record<string, GeneratedHistory> = {
  'an owner removes a post before it is confirmed': removedEarly(0),
  'an owner removes the other post before it is confirmed': removedEarly(1),
};

/** Occurrences in 1,000 histories below which a constellation is marked. */
const MIN_RATE = 200;

let database: ReferenceDatabase | null = null;
afterAll(() => database?.close());

const figures = new Map<string, number>();
const add = (name: string, count: number) => figures.set(name, (figures.get(name) ?? 0) + count);

const run: RunHistory<Command> = async (history) => {
  database ??= await createReferenceDatabase(provided('tools'));
  const { facts, errors } = await database.run(history);
  add('histories', 1);
  for (const [name, count] of Object.entries(countConstellations(facts))) add(name, count);
  for (const [reason, count] of countReasons(facts)) add(`activity ${reason}`, count);
  return [...errors, ...judge(facts)];
};

test(
  'histories on PostgreSQL agree with the reference model',
  async () => {
    const failure = replay
      ? await shorten(run, replay, given?.attempts ?? 0)
      : options.survey
        ? await survey(options.survey)
        : await campaign(generatedHistory(parts), run, { runs, seed, attempts });
    if (given) console.log(table());
    const isGood = !failure || failure.findings.length === 0;
    expect(isGood ? '' : describeFailure(failure, '--database')).toBe('');
  },
  24 * 3_600_000,
);

test.skipIf(given).each(Object.entries(FOUND))('the model agrees when %s', async (_, history) => {
  expect(await findingsOf(run, history)).toEqual([]);
});

/** @returns the shortest history of the last kind that was found */
async function survey(seconds: number) {
  const kinds = new Map<string, { count: number; history: GeneratedHistory; findings: string[] }>();
  const end = Date.now() + seconds * 1_000;
  for (const history of fc.sample(generatedHistory(parts), { numRuns: runs, seed })) {
    if (Date.now() > end) break;
    const findings = await findingsOf(run, history);
    for (const kind of new Set(findings.map(kindOf))) {
      const known = kinds.get(kind);
      const isShorter = !known || history.length < known.history.length;
      kinds.set(kind, { count: (known?.count ?? 0) + 1, ...(isShorter ? { history, findings } : known) });
    }
  }
  for (const [kind, { count, ...failure }] of kinds)
    console.log(`${count} histories: ${kind}\n${describeFailure(failure, '--database')}\n`);
  return [...kinds.values()].at(-1) ?? null;
}

/** How often each constellation and each reason occurred, and how often that is in 1,000 histories; rare ones are marked. */
function table(): string {
  const names = new Set([...CONSTELLATIONS, ...[...figures.keys()].sort()]);
  const histories = figures.get('histories') ?? 0;
  names.delete('histories');
  const rows = [...names].map((name) => {
    const count = figures.get(name) ?? 0;
    const rate = Math.round((1_000 * count) / Math.max(1, histories));
    const isRare = rate < MIN_RATE && !name.startsWith('activity ');
    return `${String(count).padStart(9)} ${String(rate).padStart(9)} ${name}${isRare ? ' (rare)' : ''}`;
  });
  return [`${String(histories).padStart(9)} histories`, '    count per 1,000', ...rows].join('\n');
}
