import type { DoctorFinding } from '@reelay/sdk';

const ORDER = ['fail', 'note', 'ok'] as const satisfies DoctorFinding['verdict'][];

/** Problems first, then notes; else in the order of the checks. Pure. */
export function byUrgency(findings: readonly DoctorFinding[]): DoctorFinding[] {
  return ORDER.flatMap((verdict) => findings.filter((each) => each.verdict === verdict));
}
