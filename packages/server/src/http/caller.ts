import type { PlanName } from '../config/plan-names.ts';

/** Who makes a request, once that is proven. */
export interface Caller {
  userId: string;
  email: string;
  plan: PlanName;
  operator: boolean;
  /** What proved it; verified again before something long is written. */
  by: { kind: 'key'; hash: Buffer } | { kind: 'session'; id: string };
}
