/** Runs generated histories until one contradicts the reference model, and makes that one short. */
import fc from 'fast-check';
import { type Command, type History, historyOf } from './history.ts';

export interface Failure {
  history: History;
  findings: string[];
  /** How many histories were run until the first that failed. */
  count: number;
}

/** @returns contradictions to the reference model */
export type RunHistory = (history: History) => Promise<string[]>;

export interface CampaignOptions {
  runs: number;
  seed: number;
  /** How often a failing history is run again to make it shorter. */
  attempts: number;
  /** Maximum number of commands and scenes of a history. */
  parts?: number;
  /** Commands and scenes that are generated beside those of every history. */
  more?: readonly fc.Arbitrary<Command[]>[];
}

/**
 * Runs histories of a seed.
 * @returns the first failure; null if all agree
 */
export async function campaign(
  run: RunHistory,
  { runs, seed, attempts, parts = 35, more = [] }: CampaignOptions,
): Promise<Failure | null> {
  let failed: History | null = null;
  let count = 0;
  const property = fc.asyncProperty(historyOf(parts, more), async (given) => {
    count++;
    if ((await findingsOf(run, given)).length === 0) return true;
    failed = given;
    return false;
  });
  await fc.check(property, { numRuns: runs, seed, endOnFailure: true });
  return failed && { ...(await shorten(run, failed, attempts)), count };
}

/** Includes what was thrown. */
export async function findingsOf(run: RunHistory, given: History): Promise<string[]> {
  try {
    return await run(given);
  } catch (error) {
    return [(error as Error).stack ?? String(error)];
  }
}

/** Leaves out commands, first many and then single ones, as long as the rest still fails. */
async function shorten(run: RunHistory, given: History, attempts: number): Promise<Omit<Failure, 'count'>> {
  let shortest = given;
  let findings = await findingsOf(run, given);
  for (let size = Math.ceil(given.length / 2), left = attempts; size >= 1 && left > 0; ) {
    let isShorter = false;
    for (let from = shortest.length - size; from > -size && left > 0; from -= size) {
      const shorter = shortest.toSpliced(Math.max(0, from), size + Math.min(0, from));
      const found = await findingsOf(run, shorter);
      left--;
      if (found.length === 0) continue;
      [shortest, findings, isShorter] = [shorter, found, true];
    }
    if (!isShorter || size > 1) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return { history: shortest, findings };
}

/** A failure in words, with the line that repeats it. */
export function describeFailure(
  { history: commands, findings, count }: Failure,
  { database }: { database: boolean },
): string {
  const replay = `npm run model -- ${database ? '--database ' : ''}--replay '${JSON.stringify(commands)}'`;
  const found = findings.map((finding, index) => (index === 0 ? `After ${count} histories: ${finding}` : finding));
  return [...found, '', ...commands.map(inWords), '', replay].join('\n');
}

function inWords(command: Command): string {
  const { do: name, ...given } = command;
  const values = Object.entries(given).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return `  ${name}: ${values.join(', ')}`;
}
