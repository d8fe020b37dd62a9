/** Records of the authorization server, with the lifetimes of the reference provider. */
import { DAY_MS, MINUTE_MS } from '../../time.ts';

export const PAR_MS = 5 * MINUTE_MS;
export const CODE_MS = 5 * MINUTE_MS;
export const ACCESS_SECONDS = 3600;
const WEEK_MS = 7 * DAY_MS;

export interface PushedRequest {
  clientId: string;
  /** Client authentication: the thumbprint of the client's key, or "none". */
  clientAuth: string;
  redirectUri: string;
  scope: string;
  state: string | null;
  challenge: string;
  loginHint: string | null;
  /** Thumbprint of the DPoP key, if the request had a proof. */
  jkt: string | null;
  expiresAt: number;
}

export interface AuthorizationCode extends PushedRequest {
  did: string;
  grant: string;
  used: boolean;
}

/** A consent. */
export interface Grant {
  did: string;
  clientId: string;
  clientAuth: string;
  jkt: string;
  scope: string;
  createdAt: number;
  revoked: boolean;
}

export interface AccessToken {
  did: string;
  grant: string;
  jkt: string;
  expiresAt: number;
}

export interface RefreshToken {
  grant: string;
  used: boolean;
  expiresAt: number;
}

/** Returns a consent's maximum lifetime, and the maximum idle time of a refresh token, in ms. */
export function lifetimes(clientAuth: string): { sessionMs: number; idleMs: number } {
  return clientAuth === 'none'
    ? { sessionMs: 2 * WEEK_MS, idleMs: 2 * WEEK_MS }
    : { sessionMs: 104 * WEEK_MS, idleMs: 13 * WEEK_MS };
}
