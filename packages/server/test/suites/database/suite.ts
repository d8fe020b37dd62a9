/**
 * The database suite: each statement that an operation executes fails in each possible way. A recording run discovers
 * the statements, so new statements are covered automatically.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { drawn, sampled, seeded } from '../../harness/draw.ts';
import {
  STATEMENT_FAULTS,
  type Statement,
  type StatementFault,
  statementName,
} from '../../harness/statement-faults.ts';
import { publishProblems, serviceProblems } from './invariants.ts';
import type { Scenario } from './scenario.ts';
import { createDatabaseWorld, type DatabaseWorld } from './world.ts';

export interface DatabaseCase {
  scenario: Scenario;
  statement: Statement;
  fault: StatementFault;
}

/** `npm test` draws one operation in three, and one in a hundred of its cases. */
const OPERATIONS_ONE_IN = 3;
const CASES_ONE_IN = 100;
const MAX_RECORDINGS = 5;
/** Every loop polls within this time, in ms. */
const LOOP_MS = 3_000;

/**
 * Runs the operation without faults.
 * @returns its statements, including those of loops and of batches shared with other posts
 */
export async function discover(world: DatabaseWorld, scenario: Scenario): Promise<Statement[]> {
  const attempt = await scenario.prepare(world);
  const beside = await queueForBystander(world);
  const stop = world.faults.record();
  attempt.begin();
  const rested = await world.time.until(attempt.atRest, scenario.withinMs);
  const found = stop();
  const problems = rested ? await attempt.problems() : ['not at rest'];
  if (problems.length > 0) throw new Error(`Undisturbed, "${scenario.name}" ended badly: ${problems.join('; ')}`);
  const others = await bystanderIds(world, beside.id);
  return found.filter(({ ids }) => ids.length === 0 || ids.some((id) => !others.has(id)));
}

/** Ids that only the bystander's post has. */
async function bystanderIds({ service, bystander }: DatabaseWorld, targetId: string): Promise<Set<string>> {
  const { account, user } = bystander;
  const rows = await service.db.query<{ id: string }>(
    `select grant_id as id from account where id = $1 union select post_id from target where id = $2`,
    [account.id, targetId],
  );
  return new Set([targetId, account.id, account.identityId, user.userId, user.mediaId, ...rows.map(({ id }) => id)]);
}

/** A loop polled and found no work, as it does all the time, regardless of the operation. */
const isIdle = ({ ids, rows }: Statement) => ids.length === 0 && rows === 0;

/** All cases of an operation. */
export function casesOf(scenario: Scenario, statements: readonly Statement[]): DatabaseCase[] {
  return statements
    .filter(scenario.covers ?? (() => true))
    .flatMap((statement) =>
      STATEMENT_FAULTS.filter((fault) => canHappen(fault, statement)).map((fault) => ({ scenario, statement, fault })),
    );
}

function canHappen(fault: StatementFault, statement: Statement): boolean {
  const isEnd = statement.text === 'begin' || statement.text === 'rollback';
  return (typeof fault.kind === 'string' || !isEnd) && fault.appliesTo(statement);
}

/**
 * Makes one statement fail.
 * @returns the problems afterwards; null if the statement was never executed
 */
export async function runCase(world: DatabaseWorld, { scenario, statement, fault }: DatabaseCase) {
  const attempt = await scenario.prepare(world);
  const beside = await queueForBystander(world);
  const injected = world.faults.inject(statement, fault);
  attempt.begin();
  const rested = await world.time.until(attempt.atRest, scenario.withinMs);
  // The fault may have hit this post instead, because both execute the same statements.
  await world.time.until(
    async () => ['posted', 'failed'].includes((await world.target(beside.id)).state),
    scenario.withinMs,
  );
  // Loops and renewals run by time. If the operation ended earlier than in the recording, they run a little later.
  if (rested) await world.time.until(async () => injected.hits() > 0, LOOP_MS);
  if (injected.hits() === 0 && rested) return null;
  const problems = [
    ...(rested ? [] : [`not at rest after ${scenario.withinMs / 1000} s`]),
    ...(await attempt.problems()),
    ...(await publishProblems(world, world.bystander.account.platform, beside.id, beside.text)).map(
      (problem) => `another user's post: ${problem}`,
    ),
    ...(await serviceProblems(world)),
  ];
  return problems;
}

async function queueForBystander(world: DatabaseWorld): Promise<{ id: string; text: string }> {
  const { targets, text } = await world.queue(world.bystander.user, [world.bystander.account]);
  return { id: targets[0] ?? '', text };
}

/**
 * Discovers the statements of each operation, and registers a test for each case, or for a sample of them.
 * @returns the number of cases per operation
 */
export async function databaseFaults(scenarios: readonly Scenario[]): Promise<Map<string, number>> {
  let world: DatabaseWorld | null = await createDatabaseWorld();
  const found: { scenario: Scenario; cases: readonly DatabaseCase[] }[] = [];
  const idle = new Set<string>();
  for (const scenario of sampled(scenarios, OPERATIONS_ONE_IN, 'operations')) {
    let cases: DatabaseCase[] = [];
    // What it covers may be missing once: batches differ from run to run.
    for (let turn = 0; turn < MAX_RECORDINGS && cases.length === 0; turn++) {
      const statements = (await discover(world, scenario)).filter((statement) => {
        if (!isIdle(statement)) return true;
        const isNew = !idle.has(statement.text);
        idle.add(statement.text);
        return isNew;
      });
      cases = casesOf(scenario, statements);
    }
    found.push({ scenario, cases });
  }
  // Close it, because its virtual time must not stand still while the remaining files are collected.
  await world.close();
  world = null;
  const results: { scenario: string; fault: string; good: boolean }[] = [];
  const missed: DatabaseCase[] = [];

  describe(seeded('database faults'), () => {
    afterAll(async () => {
      await world?.close();
      console.log(
        `${matrix(results)}\n${missed.length} statements did not come again: batches and timers differ from run to run`,
      );
    });
    for (const { scenario, cases } of found)
      for (const each of drawn(cases, CASES_ONE_IN, scenario.name))
        test(`${scenario.name}: ${each.fault.name}: ${statementName(each.statement)}`, async () => {
          world ??= await createDatabaseWorld();
          const here = world;
          let problems: string[] | null = ['did not end'];
          try {
            problems = await runCase(here, each);
          } finally {
            here.faults.clear();
            const good = problems === null || problems.length === 0;
            if (problems === null) missed.push(each);
            else results.push({ scenario: scenario.name, fault: each.fault.name, good });
            if (!good) {
              // The damage of this case must not affect the next one.
              world = null;
              await here.close();
            }
          }
          expect((problems ?? []).join('\n')).toBe('');
        });
  });
  return new Map(found.map(({ scenario, cases }) => [scenario.name, cases.length]));
}

/** A table of operations by faults: how many cases passed, of how many. */
function matrix(results: readonly { scenario: string; fault: string; good: boolean }[]): string {
  const faults = STATEMENT_FAULTS.map(({ name }) => name);
  const rows = [...new Set(results.map(({ scenario }) => scenario))].map((scenario) => {
    const cells = faults.map((fault) => {
      const own = results.filter((each) => each.scenario === scenario && each.fault === fault);
      return own.length === 0 ? '-' : `${own.filter(({ good }) => good).length}/${own.length}`;
    });
    return [scenario, ...cells];
  });
  const table = [['', ...faults], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}
