/** Token endpoints, and grants: the records of kind `grant`, keyed by id, that tokens refer to. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { SimulatorOptions, SimulatorResponse, SimulatorStore } from '../contract.ts';
import type { JsonObject } from '../json.ts';
import { SECOND } from '../time.ts';

/** A token of a grant. Kind `access`, keyed by access token; kind `refresh`, keyed by refresh token. */
export interface TokenRecord {
  grantId: string;
  /** ms since the epoch */
  expiresAt: number;
}

/** A grant that can be ended as a whole. */
export interface RevocableGrant {
  scopes: string[];
  /** Its tokens are invalid. */
  dead: boolean;
}

/** A grant whose refresh tokens rotate. */
export interface RotatingGrant extends RevocableGrant {
  /** The only valid refresh token. */
  refreshToken: string;
}

/** The successful response of a token endpoint, which must not be cached (RFC 6749, section 5.1). */
export function tokenResponse(body: JsonObject): SimulatorResponse {
  return { status: 200, headers: { 'cache-control': 'no-store' }, body };
}

/** Whether a form holds the credentials of the sandbox's application. */
export function isClient({ app }: SimulatorOptions, form: URLSearchParams, idName = 'client_id'): boolean {
  return form.get(idName) === app.clientId && form.get('client_secret') === app.clientSecret;
}

/** Stores a new grant. @param owner groups the grants of an account @returns its id */
export async function addGrant<Grant>(store: SimulatorStore, grant: Grant, owner?: string): Promise<string> {
  const id = randomUUID();
  await store.put('grant', id, grant, owner);
  return id;
}

/** Stores a token of a grant. @returns the token */
export async function addToken(
  { store, now }: SimulatorOptions,
  kind: 'access' | 'refresh',
  token: string,
  { grantId, seconds }: { grantId: string; seconds: number },
): Promise<string> {
  await store.put<TokenRecord>(kind, token, { grantId, expiresAt: now() + seconds * SECOND }, grantId);
  return token;
}

/** Invalidates all tokens of a grant. */
export async function endGrant(store: SimulatorStore, grantId: string): Promise<void> {
  await store.change<RevocableGrant>('grant', grantId, (grant) => grant && { ...grant, dead: true });
}

/** Whom an access token authenticates. */
export interface TokenOwner<Account> {
  account: Account;
  grantId: string;
  scopes: readonly string[];
}

/**
 * Returns the owner of an access token, unless the token has expired or the grant has ended.
 * @param account the record of the grant's account
 */
export async function ownerOfToken<Account, Grant extends RevocableGrant>(
  { store, now }: SimulatorOptions,
  token: string,
  account: (grant: Grant) => readonly [kind: string, key: string],
): Promise<TokenOwner<Account> | null> {
  const record = await store.get<TokenRecord>('access', token);
  if (!record || record.expiresAt <= now()) return null;
  const grant = await store.get<Grant>('grant', record.grantId);
  const owner = grant && !grant.dead && (await store.get<Account>(...account(grant)));
  return owner ? { account: owner, grantId: record.grantId, scopes: grant.scopes } : null;
}

/**
 * Exchanges a grant's refresh token for another one. The old one is invalid as soon as the new one is stored, even if
 * the response is lost.
 * @param change properties of the grant with the new token; undefined: the grant has expired
 * @returns null if the token is unknown or no longer valid
 */
export async function rotateRefreshToken<Grant extends RotatingGrant>(
  store: SimulatorStore,
  given: string,
  change: (grant: Grant) => Grant | undefined,
): Promise<{ grantId: string; grant: Grant } | null> {
  const known = await store.get<TokenRecord>('refresh', given);
  if (!known) return null;
  let rotated = false;
  const grant = await store.change<Grant>('grant', known.grantId, (current) => {
    const next = current && !current.dead && current.refreshToken === given ? change(current) : undefined;
    rotated = next !== undefined;
    return next;
  });
  return rotated && grant ? { grantId: known.grantId, grant } : null;
}

/** An unguessable text in base64url. */
export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** An unguessable text of letters and digits. */
export function newPlainSecret(bytes: number): string {
  return newSecret(bytes).replaceAll('_', 'A').replaceAll('-', 'B');
}
