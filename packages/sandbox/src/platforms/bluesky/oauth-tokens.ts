/**
 * Exchanges codes, refreshes and revokes tokens. Reusing a refresh token revokes its grant. Lifetimes are those of the
 * reference provider.
 */
import type { JsonObject } from '../../json.ts';
import { DAY, MINUTE } from '../../time.ts';
import { randomText } from './ids.ts';
import { sha256url } from './jwt.ts';
import type { OAuthClient } from './oauth-client.ts';
import type { World } from './world.ts';
import { refuseOAuth } from './xrpc.ts';

export const PAR_MS = 5 * MINUTE;
export const CODE_MS = 5 * MINUTE;
const ACCESS_SECONDS = 3600;
const WEEK_MS = 7 * DAY;

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

interface RefreshToken {
  grant: string;
  used: boolean;
  expiresAt: number;
}

/** Returns a consent's maximum lifetime, and the maximum idle time of a refresh token, in ms. */
function lifetimes(clientAuth: string): { sessionMs: number; idleMs: number } {
  return clientAuth === 'none'
    ? { sessionMs: 2 * WEEK_MS, idleMs: 2 * WEEK_MS }
    : { sessionMs: 104 * WEEK_MS, idleMs: 13 * WEEK_MS };
}

interface Proven {
  client: OAuthClient;
  clientAuth: string;
  /** Thumbprint of the DPoP key. */
  jkt: string;
}

/** @throws Refused */
export async function exchangeCode(world: World, body: URLSearchParams, proven: Proven): Promise<JsonObject> {
  const { store, now } = world.options;
  let first = false;
  const code = await store.change<AuthorizationCode>('code', sha256url(body.get('code') ?? ''), (known) => {
    first = known?.used === false;
    return known && { ...known, used: true };
  });
  const bad = (what: string): never => refuseOAuth(400, 'invalid_grant', what);
  if (!code) return bad('Invalid code');
  if (!first) {
    await revokeGrant(world, code.grant);
    return bad('Code replayed');
  }
  if (code.expiresAt <= now()) return bad('This code has expired');
  if (code.clientId !== proven.client.id || code.clientAuth !== proven.clientAuth)
    return bad('This code belongs to another client');
  if (code.redirectUri !== body.get('redirect_uri')) return bad('The redirect_uri parameter must match');
  if (code.jkt !== null && code.jkt !== proven.jkt) return bad('DPoP key mismatch');
  if (code.challenge !== sha256url(body.get('code_verifier') ?? '')) return bad('Invalid code_verifier');
  const { did, clientId, clientAuth, scope } = code;
  const grant = { did, clientId, clientAuth, scope, jkt: proven.jkt, createdAt: now(), revoked: false };
  await store.put<Grant>('grant', code.grant, grant, did);
  return issue(world, code.grant, grant);
}

/** @throws Refused */
export async function refreshGrant(world: World, body: URLSearchParams, proven: Proven): Promise<JsonObject> {
  const { store, now } = world.options;
  let first = false;
  const refresh = await store.change<RefreshToken>('refresh', sha256url(body.get('refresh_token') ?? ''), (known) => {
    first = known?.used === false;
    return known && { ...known, used: true };
  });
  const bad = (what: string): never => refuseOAuth(400, 'invalid_grant', what);
  const grant = refresh && (await store.get<Grant>('grant', refresh.grant));
  if (!refresh || !grant || grant.revoked) return bad('Invalid refresh token');
  if (!first) {
    await revokeGrant(world, refresh.grant);
    return bad('Refresh token replayed');
  }
  const { sessionMs } = lifetimes(grant.clientAuth);
  if (grant.clientId !== proven.client.id || grant.clientAuth !== proven.clientAuth)
    return bad('Token was not issued to this client');
  if (grant.jkt !== proven.jkt) return bad('DPoP key mismatch');
  if (refresh.expiresAt <= now()) return bad('Refresh token expired');
  if (grant.createdAt + sessionMs <= now()) return bad('Session expired');
  return issue(world, refresh.grant, grant);
}

/** Revokes the grant of a token of this client and key. Unknown and foreign tokens are not errors (RFC 7009). */
export async function revoke(world: World, token: string, proven: Proven): Promise<void> {
  const key = sha256url(token);
  const { store } = world.options;
  const found = (await store.get<RefreshToken>('refresh', key)) ?? (await store.get<AccessToken>('access', key));
  const grant = found && (await store.get<Grant>('grant', found.grant));
  if (grant?.clientId === proven.client.id && grant.clientAuth === proven.clientAuth && grant.jkt === proven.jkt)
    await revokeGrant(world, found?.grant ?? '');
}

/** Revokes all consents of an account. */
export async function revokeGrants(world: World, did: string): Promise<void> {
  for (const { key } of await world.options.store.list<Grant>('grant', { owner: did, limit: 10_000 }))
    await revokeGrant(world, key);
}

async function revokeGrant(world: World, key: string): Promise<void> {
  await world.options.store.change<Grant>('grant', key, (grant) => grant && { ...grant, revoked: true });
}

async function issue(world: World, key: string, grant: Grant): Promise<JsonObject> {
  const { store, now } = world.options;
  const access = randomText('acc-', 32);
  const refresh = randomText('ref-', 32);
  const { idleMs } = lifetimes(grant.clientAuth);
  const accessRecord = { did: grant.did, grant: key, jkt: grant.jkt, expiresAt: now() + ACCESS_SECONDS * 1000 };
  await store.put<AccessToken>('access', sha256url(access), accessRecord);
  await store.put<RefreshToken>('refresh', sha256url(refresh), { grant: key, used: false, expiresAt: now() + idleMs });
  return {
    access_token: access,
    token_type: 'DPoP',
    refresh_token: refresh,
    scope: grant.scope,
    expires_in: ACCESS_SECONDS - 1,
    sub: grant.did,
  };
}
