import { afterAll, expect, test } from 'vitest';
import { SEED } from '../harness/draw.ts';
import { provided } from '../harness/provided.ts';
import { campaign, describeFailure, findingsOf, type RunHistory } from './campaign.ts';
import { createReferenceDatabase, type ReferenceDatabase } from './database-reference.ts';
import { type Command, type GeneratedHistory, generatedHistory } from './history-generator.ts';
import { CONSTELLATIONS, countConstellations, countReasons } from './reference/constellations.ts';
import { judge } from './reference/reference.ts';

interface Options {
  kind: string;
  runs: number;
  seed: number;
  replay?: GeneratedHistory;
}

/** Set by `npm run model -- --database`. */
const given: Options | undefined = process.env.REELAY_MODEL && JSON.parse(process.env.REELAY_MODEL);
const { runs, seed, replay }: Options = given ?? { kind: 'database', runs: 2, seed: SEED };

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
  if (process.env.REELAY_MODEL_FACTS) console.log(JSON.stringify(facts, null, 1));
  return [...errors, ...judge(facts)];
};

test(
  'histories on PostgreSQL agree with the reference model',
  async () => {
    const failure = replay
      ? { history: replay, findings: await findingsOf(run, replay) }
      : await campaign(generatedHistory(12), run, { runs, seed, attempts: 40 });
    if (given) console.log(table());
    const isGood = !failure || failure.findings.length === 0;
    expect(isGood ? '' : describeFailure(failure, '--database')).toBe('');
  },
  24 * 3_600_000,
);

function table(): string {
  const names = new Set(['histories', ...CONSTELLATIONS, ...[...figures.keys()].sort()]);
  return [...names].map((name) => `${String(figures.get(name) ?? 0).padStart(9)} ${name}`).join('\n');
}
