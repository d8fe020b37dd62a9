import type { PlanName } from '../config/plan-names.ts';
import type { Credential } from '../keys/credential.ts';

/** An authenticated caller. */
export interface Caller extends Credential {
  email: string;
  plan: PlanName;
  operator: boolean;
  /** IANA time zone. */
  zone: string;
}
