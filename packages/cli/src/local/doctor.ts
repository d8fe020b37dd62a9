import type { Environment } from '@reelay/server/config/env.ts';
import { sqlState } from '@reelay/server/db/database.ts';
import { TEXT } from '../messages.ts';
import { describeFailure, json, line } from '../output.ts';
import { CHECKS, type Check } from './checks.ts';
import type { Finding } from './finding.ts';
import { type Local, withLocal } from './open.ts';

interface Reported extends Finding {
  name: string;
}

const UNDEFINED_TABLE = '42P01';
const MARKS = { ok: 'ok  ', note: 'note', fail: 'FAIL' } as const;

/** Runs all checks, even if some fail, and sets the exit status. */
export async function doctor(env: Environment, options: { json?: boolean }): Promise<void> {
  const findings: Reported[] = [];
  const report = (name: string, found: readonly Finding[]) => {
    for (const finding of found) {
      findings.push({ name, ...finding });
      if (!options.json) line(`${MARKS[finding.verdict]}  ${name}: ${finding.text}`);
    }
  };
  const lookAll = async (local: Local) => {
    for (const check of CHECKS) report(check.name, await look(check, local));
  };
  await withLocal(env, lookAll, { migrated: false }).catch((error: unknown) =>
    report('database', [{ verdict: 'fail', text: describeFailure(error) }]),
  );
  const failed = findings.filter((finding) => finding.verdict === 'fail').length;
  if (options.json) json({ ok: failed === 0, findings });
  else line(failed === 0 ? TEXT.noProblems : TEXT.problemsFound(failed));
  if (failed > 0) process.exitCode = 1;
}

async function look(check: Check, local: Local): Promise<Finding[]> {
  try {
    return await check.look(local);
  } catch (error) {
    // Missing tables: the schema check has already reported this.
    if (sqlState(error) === UNDEFINED_TABLE) return [];
    return [{ verdict: 'fail', text: describeFailure(error) }];
  }
}
