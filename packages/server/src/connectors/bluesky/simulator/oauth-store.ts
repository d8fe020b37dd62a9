/** Records of the authorization server and its lifetimes, as the reference provider has them. */
export const PAR_MS = 5 * 60_000;
export const CODE_MS = 5 * 60_000;
export const ACCESS_SECONDS = 3600;
const WEEK_MS = 7 * 86_400_000;

export interface PushedRequest {
  clientId: string;
  /** How the client proved itself: the thumbprint of its key, or "none". */
  clientAuth: string;
  redirectUri: string;
  scope: string;
  state: string | null;
  challenge: string;
  loginHint: string | null;
  /** Thumbprint of the DPoP key, when the request carried a proof. */
  jkt: string | null;
  expiresAt: number;
}

export interface AuthorizationCode extends PushedRequest {
  did: string;
  grant: string;
  used: boolean;
}

/** One consent. */
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

/** How long a consent may live and how long a refresh token may lie unused, in ms. */
export function lifetimes(clientAuth: string): { sessionMs: number; idleMs: number } {
  return clientAuth === 'none'
    ? { sessionMs: 2 * WEEK_MS, idleMs: 2 * WEEK_MS }
    : { sessionMs: 104 * WEEK_MS, idleMs: 13 * WEEK_MS };
}
