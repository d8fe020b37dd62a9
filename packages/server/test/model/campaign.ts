/** Runs generated histories until one contradicts the reference model, and makes that one short. */
import fc from 'fast-check';

/** A step of a history: plain JSON. */
interface Step {
  do: string;
}

export interface Failure<Command> {
  history: readonly Command[];
  findings: string[];
  /** How many histories were run until the first that failed. */
  count: number;
}

/** @returns contradictions to the reference model */
export type RunHistory<Command> = (history: readonly Command[]) => Promise<string[]>;

interface CampaignOptions {
  runs: number;
  seed: number;
  /** How often a failing history is run again to make it shorter. */
  attempts: number;
}

/**
 * Runs histories of a seed.
 * @returns the first failure; null if all agree
 */
export async function campaign<Command extends Step>(
  histories: fc.Arbitrary<readonly Command[]>,
  run: RunHistory<Command>,
  { runs, seed, attempts }: CampaignOptions,
): Promise<Failure<Command> | null> {
  let failed: readonly Command[] | null = null;
  let count = 0;
  const property = fc.asyncProperty(histories, async (given) => {
    count++;
    if ((await findingsOf(run, given)).length === 0) return true;
    failed = given;
    return false;
  });
  await fc.check(property, { numRuns: runs, seed, endOnFailure: true });
  return failed && { ...(await shorten(run, failed, attempts)), count };
}

/** Includes what was thrown. */
export async function findingsOf<Command>(run: RunHistory<Command>, given: readonly Command[]): Promise<string[]> {
  try {
    return await run(given);
  } catch (error) {
    return [(error as Error).stack ?? String(error)];
  }
}

/** The first word of a finding, which is the same for all of its kind. */
export const kindOf = (finding: string): string => finding.split(' ', 1)[0] ?? '';

/** Leaves out commands, first many and then single ones, as long as the rest still fails in the same way. */
export async function shorten<Command>(
  run: RunHistory<Command>,
  given: readonly Command[],
  attempts: number,
): Promise<Omit<Failure<Command>, 'count'>> {
  let shortest = given;
  let findings = await findingsOf(run, given);
  const kind = kindOf(findings.at(-1) ?? '');
  for (let size = Math.ceil(given.length / 2), left = attempts; size >= 1 && left > 0; ) {
    let isShorter = false;
    for (let from = shortest.length - size; from > -size && left > 0; from -= size) {
      const shorter = shortest.toSpliced(Math.max(0, from), size + Math.min(0, from));
      const found = await findingsOf(run, shorter);
      left--;
      if (!found.some((each) => kindOf(each) === kind)) continue;
      [shortest, findings, isShorter] = [shorter, found, true];
    }
    if (!isShorter || size > 1) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return { history: shortest, findings };
}

/** A failure in words, with the line that repeats it. */
/** @param kind option of `npm run model` */
export function describeFailure(
  { history: commands, findings, count }: Omit<Failure<Step>, 'count'> & { count?: number },
  kind: string,
): string {
  const replay = `npm run model -- ${kind} --replay '${JSON.stringify(commands)}'`;
  const found = findings.map((each, at) =>
    at === 0 && count !== undefined ? `After ${count} histories: ${each}` : each,
  );
  return [...found, '', ...commands.map(inWords), '', replay].join('\n');
}

function inWords(command: Step): string {
  const { do: name, ...given } = command;
  const values = Object.entries(given).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return `  ${name}: ${values.join(', ')}`;
}
