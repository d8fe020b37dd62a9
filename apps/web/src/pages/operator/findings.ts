import type { DoctorFinding } from '@reelay/sdk';

const ORDER = ['fail', 'note', 'ok'] as const satisfies DoctorFinding['verdict'][];

/** Sorts findings: problems first, then notes. The sort is stable. Pure. */
export function byUrgency(findings: readonly DoctorFinding[]): DoctorFinding[] {
  return ORDER.flatMap((verdict) => findings.filter((each) => each.verdict === verdict));
}
