import type { PlanName } from '../config/plan-names.ts';

/** An authenticated caller. */
export interface Caller {
  userId: string;
  email: string;
  plan: PlanName;
  operator: boolean;
  /** The credential used. It is verified again before the result of a long upload is written. */
  by: { kind: 'key'; hash: Buffer } | { kind: 'session'; id: string };
}
