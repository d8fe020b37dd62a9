/** Runs all checks, also if some of them fail. */
import { sqlState } from '../../db/database.ts';
import { find } from '../../messages/doctor.ts';
import type { Message } from '../../messages/message.ts';
import { CHECKS, type Check, type DoctorDeps } from './checks.ts';
import type { Finding } from './finding.ts';

/** A finding with the name of its check. */
export interface NamedFinding extends Finding {
  name: Message;
}

const UNDEFINED_TABLE = '42P01';

/**
 * @param options.describe renders an unexpected error as one line
 * @param options.onFound called with the findings of each check
 */
export async function runDoctor(
  deps: DoctorDeps,
  { describe, onFound }: { describe(error: unknown): string; onFound?(findings: readonly NamedFinding[]): void },
): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [];
  for (const check of CHECKS) {
    const found = (await run(check, deps, describe)).map((finding) => ({ name: check.name, ...finding }));
    onFound?.(found);
    findings.push(...found);
  }
  return findings;
}

async function run(check: Check, deps: DoctorDeps, describe: (error: unknown) => string): Promise<Finding[]> {
  try {
    return await check.look(deps);
  } catch (error) {
    // Missing tables: the schema check has already reported this.
    if (sqlState(error) === UNDEFINED_TABLE) return [];
    return [{ verdict: 'fail', message: find('unexpected', { words: describe(error) }) }];
  }
}
