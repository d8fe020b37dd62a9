/**
 * Password sessions: access tokens of two hours, and refresh tokens of 90 days that rotate with a grace period of two
 * hours.
 */
import { randomBytes } from 'node:crypto';
import type { Route, SimulatorRequest } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { DAY, HOUR, SECOND } from '../../time.ts';
import { type Account, didDocument, findAccount } from './accounts.ts';
import { authorize, sessionClaims } from './auth.ts';
import { signEc, signHs256 } from './jwt.ts';
import type { World } from './world.ts';
import { type Call, input, invalid, ok, parameter, refuse, xrpc } from './xrpc.ts';

const ACCESS_SECONDS = 120 * 60;
const REFRESH_SECONDS = (90 * DAY) / SECOND;
const GRACE_MS = 2 * HOUR;

interface RefreshToken {
  did: string;
  scope: string;
  expiresAt: number;
  next: string | null;
}

export function sessionRoutes(world: World): Route[] {
  return [
    ...xrpc('POST', 'com.atproto.server.createSession', (call) => createSession(world, call)),
    ...xrpc('POST', 'com.atproto.server.refreshSession', (call) => refreshSession(world, call)),
    ...xrpc('POST', 'com.atproto.server.deleteSession', async (call) => {
      const { jti } = await refreshTokenOf(world, call.request, { expired: true });
      await world.options.store.remove('refresh-session', jti);
      return ok();
    }),
    ...xrpc('GET', 'com.atproto.server.getServiceAuth', (call) => getServiceAuth(world, call)),
    ...xrpc('GET', 'com.atproto.server.getSession', async (call) => {
      const { account, via, scopes } = await authorize(world, call);
      const mail: JsonObject =
        via === 'session' || scopes.includes('transition:email')
          ? { email: account.email, emailConfirmed: account.emailConfirmed }
          : {};
      return ok({ did: account.did, handle: account.handle, ...mail, ...status(account) });
    }),
  ];
}

async function createSession(world: World, call: Call) {
  const body = await input(call.request, ['identifier', 'password']);
  const { identifier, password } = body;
  if (typeof identifier !== 'string' || typeof password !== 'string') invalid('Expected string value type at $');
  world.limit(call, 'login', identifier.toLowerCase());
  const account = await findAccount(world, identifier);
  const scope = account && scopeOf(account, password);
  if (!account || !scope) refuse(401, 'AuthenticationRequired', 'Invalid identifier or password');
  if (account.status === 'takendown') refuse(401, 'AccountTakedown', 'Account has been taken down');
  const jti = newTokenId();
  const record = { did: account.did, scope, expiresAt: world.options.now() + REFRESH_SECONDS * 1000, next: null };
  await world.options.store.put<RefreshToken>('refresh-session', jti, record, account.did);
  return ok(await sessionBody(world, account, scope, jti));
}

async function refreshSession(world: World, call: Call) {
  if (Number(call.request.headers['content-length'] ?? 0) > 0)
    invalid('A request body was provided when none was expected');
  const { jti, did } = await refreshTokenOf(world, call.request, { expired: false });
  const account = await findAccount(world, did);
  if (!account) invalid(`Could not find user info for account: ${did}`);
  if (account.status === 'takendown') refuse(401, 'AccountTakedown', 'Account has been taken down');
  const { store, now } = world.options;
  // The old token leads to the same new one for a while, because a response may have been lost.
  const rotated = await store.change<RefreshToken>('refresh-session', jti, (known) =>
    known && known.expiresAt > now()
      ? { ...known, next: known.next ?? newTokenId(), expiresAt: Math.min(known.expiresAt, now() + GRACE_MS) }
      : undefined,
  );
  if (!rotated?.next || rotated.expiresAt <= now()) refuse(400, 'ExpiredToken', 'Token has been revoked');
  const fresh = { did, scope: rotated.scope, expiresAt: now() + REFRESH_SECONDS * 1000, next: null };
  await store.insert<RefreshToken>('refresh-session', rotated.next, fresh, did);
  return ok(await sessionBody(world, account, rotated.scope, rotated.next));
}

/** Ends all sessions of an account, as removing an app password does. */
export async function revokeSessions(world: World, did: string): Promise<void> {
  const { store } = world.options;
  for (const { key } of await store.list<RefreshToken>('refresh-session', { owner: did, limit: 10_000 }))
    await store.remove('refresh-session', key);
}

async function sessionBody(world: World, account: Account, scope: string, jti: string): Promise<JsonObject> {
  const secret = await world.secret();
  const iat = Math.floor(world.options.now() / 1000);
  const common = { aud: world.pdsDid, sub: account.did, iat };
  const refreshClaims = { scope: 'com.atproto.refresh', ...common, jti, exp: iat + REFRESH_SECONDS };
  return {
    did: account.did,
    handle: account.handle,
    email: account.email,
    emailConfirmed: account.emailConfirmed,
    didDoc: didDocument(world, account),
    accessJwt: signHs256(secret, { typ: 'at+jwt' }, { scope, ...common, exp: iat + ACCESS_SECONDS }),
    refreshJwt: signHs256(secret, { typ: 'refresh+jwt' }, refreshClaims),
    ...status(account),
  };
}

function status(account: Account): JsonObject {
  return account.status === 'active' ? { active: true } : { active: false, status: account.status };
}

function scopeOf(account: Account, password: string): string | undefined {
  if (password === account.appPassword) return 'com.atproto.appPass';
  return password === account.password ? 'com.atproto.access' : undefined;
}

async function refreshTokenOf(world: World, request: SimulatorRequest, allow: { expired: boolean }) {
  const claims = await sessionClaims(world, request, 'refresh+jwt', allow.expired);
  return { jti: String(claims.jti), did: String(claims.sub) };
}

function newTokenId(): string {
  return randomBytes(32).toString('base64');
}

const DEFAULT_SECONDS = 60;

/** Service tokens, with which an account authorizes another service to act for it. */
async function getServiceAuth(world: World, call: Call) {
  const { account } = await authorize(world, call);
  const aud = parameter(call.request, 'aud');
  const lxm = call.request.query.get('lxm') ?? undefined;
  const given = call.request.query.get('exp');
  if (!/^did:(plc:[a-z2-7]{24}|web:[\w.:%-]+)(#\w+)?$/.test(aud))
    invalid('aud must be a valid atproto DID or did#serviceId reference');
  const iat = Math.floor(world.options.now() / 1000);
  const exp = given === null ? iat + DEFAULT_SECONDS : Number(given);
  const ahead = exp - world.options.now() / 1000;
  if (!(ahead >= 0)) refuse(400, 'BadExpiration', 'expiration is in past');
  if (ahead > 3600)
    refuse(400, 'BadExpiration', 'cannot request a token with an expiration more than an hour in the future');
  if (lxm === undefined && ahead > 60)
    refuse(
      400,
      'BadExpiration',
      'cannot request a method-less token with an expiration more than a minute in the future',
    );
  const claims = { iat, iss: account.did, aud, exp, lxm, jti: randomBytes(16).toString('hex') };
  return ok({ token: signEc('ES256K', account.key, { typ: 'JWT' }, claims) });
}
