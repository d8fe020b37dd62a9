/**
 * Facebook Login: code → token for an hour or two → token for 60 days → Page tokens, which do not expire. The token for 60
 * days is renewed, because it reads what Meta at times hides from Page tokens.
 */
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, App, ConnectContext, JsonObject, Tokens } from '../contract.ts';
import { isFailure, nullIf } from '../kit/failures.ts';
import { type GraphApi, grantedScopes, graphBody, LONG_LIVED_SECONDS, personOf } from '../kit/graph-api.ts';
import { listPages } from '../kit/graph-pages.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { noLongerAccepted } from '../kit/oauth.ts';
import { accessTokenIn } from '../kit/token-response.ts';
import { apiFor, readNode } from './api.ts';
import { asEnded, failureOf } from './classify.ts';
import { capabilities } from './limits.ts';

const FIELDS = 'name,instagram_business_account{id,username,name,profile_picture_url}';

/** An Instagram account linked to a Page. */
interface PageAccount {
  facts: AccountFacts;
  /** Page token; "" if none was returned. */
  token: string;
}

/** @throws PlatformError */
export async function exchangeFacebook(
  context: ConnectContext,
  app: App,
  { code, redirectUri }: { code: string; redirectUri: string },
): Promise<Tokens> {
  const client = { client_id: app.clientId, client_secret: app.clientSecret };
  const short = await requestToken(context, { ...client, redirect_uri: redirectUri, code });
  const long = await lengthen(context, app, short.token);
  const api = apiFor(context, 'facebook', long.token);
  const scopes = await grantedScopes(api);
  const accounts = scopes.length === 0 || scopes.includes('pages_show_list') ? await pageAccounts(api, scopes) : [];
  return tokensOf(long.token, accounts, { person: await personOf(api), scopes, expiresIn: long.expiresIn });
}

function lengthen(context: ConnectContext, { clientId, clientSecret }: App, token: string) {
  const client = { client_id: clientId, client_secret: clientSecret };
  return requestToken(context, { ...client, grant_type: 'fb_exchange_token', fb_exchange_token: token });
}

/**
 * Renews the person's token and the Page tokens. Page tokens outlive the person's token: if that has ended and a Page
 * token still works, they are kept, and nothing is renewed any more. @throws PlatformError `reconnect` if none works
 */
export async function refreshFacebook(context: ConnectContext, app: App, tokens: Tokens): Promise<Tokens> {
  const { secret, scopes } = tokens;
  const token = textAt(secret, 'accessToken');
  if (!token) throw new PlatformError(noLongerAccepted('Facebook'));
  const person = textAt(secret, 'person');
  try {
    const long = await lengthen(context, app, token);
    const accounts = await pageAccounts(apiFor(context, 'facebook', long.token), scopes);
    return tokensOf(long.token, accounts, { person, scopes, expiresIn: long.expiresIn });
  } catch (error) {
    if (!isFailure(error, 'tokenExpired', 'reconnect')) throw error;
    const hasEnded = ({ kind }: Failure) => kind === 'tokenExpired' || kind === 'reconnect';
    const alive = secret.pages === undefined ? null : await facebookAccounts(context, tokens).catch(nullIf(hasEnded));
    if (!alive?.length) throw asEnded(error, 'Facebook');
    return { ...tokens, expiresIn: null };
  }
}

/**
 * Returns the accounts linked to the Pages of a login. Uses the stored Page tokens if there are any: they outlive the
 * user token. @throws PlatformError
 */
export async function facebookAccounts(context: ConnectContext, { secret, scopes }: Tokens): Promise<AccountFacts[]> {
  const { pages } = secret;
  if (typeof pages !== 'object' || pages === null) {
    const listed = await pageAccounts(apiFor(context, 'facebook', textAt(secret, 'accessToken')), scopes);
    return listed.map(({ facts }) => facts);
  }
  const found: AccountFacts[] = [];
  let rejection: PlatformError | null = null;
  for (const id of Object.keys(pages)) {
    try {
      const query = { fields: 'username,name,profile_picture_url' };
      found.push(factsOf(id, await readNode({ ...context, secret, remoteId: id }, id, query)));
    } catch (error) {
      // One Page that the user has lost must not fail the others.
      if (!isFailure(error, 'reconnect', 'tokenExpired')) throw error;
      rejection = error;
    }
  }
  if (found.length === 0 && rejection) throw rejection;
  return found;
}

/** Lists all accounts linked to the user's Pages that may post. @throws PlatformError */
async function pageAccounts(api: GraphApi, scopes: readonly string[]): Promise<readonly PageAccount[]> {
  return (await listPages(api, FIELDS, scopes)).map(readPage).filter((account) => account !== null);
}

/** Returns null if no Instagram account is linked, or if the user's role on the Page does not allow posting. */
export function readPage(page: unknown): PageAccount | null {
  const account = at(page, 'instagram_business_account');
  const id = textAt(account, 'id');
  const tasks = at(page, 'tasks');
  const may = !Array.isArray(tasks) || tasks.includes('MANAGE') || tasks.includes('CREATE_CONTENT');
  return may && /^\d+$/.test(id) ? { facts: factsOf(id, account), token: textAt(page, 'access_token') } : null;
}

export function factsOf(remoteId: string, account: unknown): AccountFacts {
  const username = textAt(account, 'username');
  return {
    remoteId,
    username,
    displayName: textAt(account, 'name') || username,
    avatarUrl: textAt(account, 'profile_picture_url'),
    capabilities,
    extra: { login: 'facebook' },
  };
}

function tokensOf(
  accessToken: string,
  accounts: readonly PageAccount[],
  { person, scopes, expiresIn }: { person: string; scopes: readonly string[]; expiresIn: number | null },
): Tokens {
  const pages: JsonObject = Object.fromEntries(
    accounts.flatMap(({ facts, token }) => (token ? [[facts.remoteId, token]] : [])),
  );
  const lasts = Object.keys(pages).length > 0;
  return {
    secret: { login: 'facebook', accessToken, ...(person ? { person } : {}), ...(lasts ? { pages } : {}) },
    scopes,
    expiresIn: expiresIn ?? LONG_LIVED_SECONDS,
    refreshExpiresIn: null,
    service: '',
  };
}

/** @throws PlatformError */
async function requestToken(
  context: ConnectContext,
  query: Record<string, string>,
): Promise<{ token: string; expiresIn: number | null }> {
  const url = `${apiFor(context, 'facebook', '').url('oauth/access_token')}?${new URLSearchParams(query)}`;
  try {
    const body = graphBody(await context.http({ method: 'GET', url }), failureOf);
    return { token: accessTokenIn(body, 'Facebook'), expiresIn: numberAt(body, 'expires_in') };
  } catch (error) {
    // A rejected code, URL or secret is a problem of the sign-in, not of an account.
    if (!isFailure(error, 'rejected')) throw error;
    throw new PlatformError({ ...error.failure, kind: 'setup' }, { cause: error });
  }
}
