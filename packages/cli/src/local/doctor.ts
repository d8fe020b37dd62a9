import type { Environment } from '@reelay/server/config/env.ts';
import { connectors } from '@reelay/server/connectors/registry.ts';
import { find } from '@reelay/server/messages/doctor.ts';
import { type NamedFinding, runDoctor } from '@reelay/server/operator/doctor/doctor.ts';
import { TEXT } from '../messages.ts';
import { describeFailure, json, line } from '../output.ts';
import { withLocal } from './open.ts';

const MARKS = { ok: 'ok  ', note: 'note', fail: 'FAIL' } as const;

/** Runs all checks, even if some fail, and sets the exit status. */
export async function doctor(env: Environment, options: { json?: boolean }): Promise<void> {
  const findings: NamedFinding[] = [];
  const report = (found: readonly NamedFinding[]) => {
    findings.push(...found);
    if (options.json) return;
    for (const { name, verdict, message } of found) line(`${MARKS[verdict]}  ${name.text}: ${message.text}`);
  };
  await withLocal(env, (local) => runDoctor({ ...local, connectors }, { describe: describeFailure, onFound: report }), {
    migrated: false,
  }).catch((error: unknown) =>
    report([
      { name: find('check_database'), verdict: 'fail', message: find('unexpected', { words: describeFailure(error) }) },
    ]),
  );
  const failed = findings.filter((finding) => finding.verdict === 'fail').length;
  const shown = findings.map(({ name, verdict, message }) => ({ name: name.text, verdict, text: message.text }));
  if (options.json) json({ ok: failed === 0, findings: shown });
  else line(failed === 0 ? TEXT.noProblems : TEXT.problemsFound(failed));
  if (failed > 0) process.exitCode = 1;
}
