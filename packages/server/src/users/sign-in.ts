import type { PlanName } from '../config/plans.ts';

export interface SessionUser {
  sessionId: string;
  userId: string;
  email: string;
  plan: PlanName;
  operator: boolean;
  suspended: boolean;
}

/** Sign-up, sign-in and sessions. */
export interface SignIn {
  /** The user whose session a Cookie header carries, or null. */
  session(cookie: string): Promise<SessionUser | null>;
}

export function createSignIn(): SignIn {
  return { session: async () => null };
}
