/** Plants bugs in database failure handling, which the suite must detect. */
import { afterEach, expect, test, vi } from 'vitest';
import { drawn, ONE_IN, seeded } from '../harness/draw.ts';
import { STATEMENT_FAULTS, type Statement } from '../harness/statement-faults.ts';
import { publishOn } from '../suites/database/publish.ts';
import { discover, runCase } from '../suites/database/suite.ts';
import { createDatabaseWorld, type DatabaseWorld } from '../suites/database/world.ts';

/** Whether a platform's response is discarded if the database does not accept it. */
const evidence = vi.hoisted(() => ({ forgotten: false }));
vi.mock('../../src/publishing/evidence.ts', async (original) => {
  const real = await original<typeof import('../../src/publishing/evidence.ts')>();
  const createEvidenceKeeper: typeof real.createEvidenceKeeper = (options) => {
    const keeper = real.createEvidenceKeeper(options);
    return { ...keeper, record: async (piece) => (evidence.forgotten ? undefined : keeper.record(piece)) };
  };
  return { ...real, createEvidenceKeeper };
});

/** Whether a claimed lane is kept although its target could not be loaded. */
const loading = vi.hoisted(() => ({ dropsNothing: false }));
vi.mock('../../src/publishing/worker/claimer.ts', async (original) => {
  const real = await original<typeof import('../../src/publishing/worker/claimer.ts')>();
  const createClaimer: typeof real.createClaimer = (deps) =>
    real.createClaimer({ ...deps, giveBack: (held) => loading.dropsNothing || deps.giveBack(held) });
  return { ...real, createClaimer };
});

let world: DatabaseWorld | null = null;
afterEach(async () => {
  evidence.forgotten = false;
  loading.dropsNothing = false;
  await world?.close();
  world = null;
});

const scenario = publishOn('telegram');
const [lost] = STATEMENT_FAULTS;

/** Decisions about a target, including the outcome of its send. */
const isDecision = ({ text }: Statement) => text.startsWith('with held as');

/** Loses the connection before each decision, and returns the problems that the suite finds. */
async function findings(here: DatabaseWorld, decisions: readonly Statement[]): Promise<string> {
  const found: string[] = [];
  for (const statement of decisions)
    if (lost) found.push(...((await runCase(here, { scenario, statement, fault: lost })) ?? []));
  return found.join('\n');
}

async function forgetsResponses(here: DatabaseWorld): Promise<void> {
  const decisions = (await discover(here, scenario)).filter(isDecision);
  expect(await findings(here, decisions)).not.toContain('outcome_unknown');
  evidence.forgotten = true;
  expect(await findings(here, decisions)).toContain('failed (outcome_unknown) with 1 published');
}

async function keepsWhatItCannotLoad(here: DatabaseWorld): Promise<void> {
  const isLoad = ({ text }: Statement) => text.includes('where t.id = any(') && text.includes('checkpoint');
  const [load] = (await discover(here, scenario)).filter(isLoad);
  if (!load || !lost) throw new Error('No target was loaded.');
  expect(await runCase(here, { scenario, statement: load, fault: lost })).toEqual([]);
  loading.dropsNothing = true;
  // The lease is renewed by the worker that does nothing.
  expect(await runCase(here, { scenario, statement: load, fault: lost })).toEqual(['not at rest after 60 s']);
}

async function renewsLanesNobodyRuns(here: DatabaseWorld): Promise<void> {
  const { service } = here;
  const account = await here.accountOn('telegram');
  const renew = `update lane set lease_until = app_now() + interval '10 s' where identity_id = $1 and in_hand is not null`;
  setInterval(() => void service.db.execute(renew, [account.identityId]), 1_000);
  const isClaim = ({ text }: Statement) => text.includes('"crashedWith"');
  const [claim] = (await discover(here, scenario)).filter(isClaim);
  if (!claim) throw new Error('No lane was claimed.');
  const after = STATEMENT_FAULTS.find(({ kind }) => kind === 'lostAfter');
  const problems = after && (await runCase(here, { scenario, statement: claim, fault: after }));
  expect(problems?.join('\n')).toContain('held though nobody works on it: lane');
}

test.each(
  drawn(
    [
      ["a service that forgets a platform's response", forgetsResponses],
      ['a lane that is kept although its target was not loaded', keepsWhatItCannotLoad],
      ['a lane that is renewed although nobody runs it', renewsLanesNobodyRuns],
    ] as const,
    ONE_IN.planted,
  ),
)(seeded('the suite detects %s'), async (_, detects) => {
  world = await createDatabaseWorld();
  await detects(world);
});
