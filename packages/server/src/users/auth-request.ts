/** A request to sign-in, and the user of a session. */
import type { PlanName } from '../config/plan-names.ts';
import type { AuthRoute } from './auth-route.ts';

export interface SessionUser {
  sessionId: string;
  userId: string;
  email: string;
  plan: PlanName;
  operator: boolean;
  suspended: boolean;
  /** IANA time zone. */
  zone: string;
}

/** A request to one of better-auth's routes. */
export interface AuthRequest {
  route: AuthRoute;
  /** Validated by the route's schema. */
  body: Readonly<Record<string, unknown>>;
  /** The client's address, resolved through trusted proxies. */
  address: string;
  /** The address or its network: clients with the same value share one turn. */
  client: string;
  /** Whether it was made on this machine. */
  local: boolean;
  /**
   * Returns a request header.
   * @param name lower case
   */
  header(name: string): string | undefined;
}
