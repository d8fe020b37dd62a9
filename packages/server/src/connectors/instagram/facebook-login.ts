/** Facebook Login: code → token for an hour or two → token for 60 days → Page tokens, which do not expire. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { App, ConnectContext, JsonObject, Tokens } from '../contract.ts';
import { transient } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { noLongerAccepted } from '../kit/oauth.ts';
import { type Caller, get, graphUrl, said } from './api.ts';

const MAX_PAGES = 20;
const FIELDS = 'id,name,access_token,tasks,instagram_business_account{id,username,name,profile_picture_url}';

/** An Instagram account linked to a Page. */
export interface PageAccount {
  igId: string;
  username: string;
  name: string;
  picture: string;
  /** Page token; "" if none was returned. */
  token: string;
}

const NO_LONGER_ACCEPTED = noLongerAccepted('Facebook');

/** @throws PlatformError */
export async function exchangeFacebook(
  context: ConnectContext,
  app: App,
  { code, redirectUri }: { code: string; redirectUri: string },
): Promise<Tokens> {
  const client = { client_id: app.clientId, client_secret: app.clientSecret };
  const short = await token(context, { ...client, redirect_uri: redirectUri, code });
  const long = await token(context, { ...client, grant_type: 'fb_exchange_token', fb_exchange_token: short.token });
  const caller = callerFor(context, long.token);
  const scopes = await grantedScopes(caller);
  const accounts = scopes.length === 0 || scopes.includes('pages_show_list') ? await pageAccounts(caller) : [];
  return tokensOf(long.token, accounts, scopes, long.expiresIn);
}

/** Fetches the Page tokens again with the user token. If that is invalid, only a new consent helps. */
export async function refreshFacebook(context: ConnectContext, tokens: Tokens): Promise<Tokens> {
  const userToken = textAt(tokens.secret, 'accessToken');
  if (!userToken) throw new PlatformError(NO_LONGER_ACCEPTED);
  try {
    const accounts = await pageAccounts(callerFor(context, userToken));
    return tokensOf(userToken, accounts, tokens.scopes, tokens.expiresIn);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.failure.kind !== 'tokenExpired') throw error;
    throw new PlatformError({ ...error.failure, ...NO_LONGER_ACCEPTED }, { cause: error });
  }
}

/** Lists all accounts linked to the user's Pages that may post. @throws PlatformError */
export async function pageAccounts(caller: Caller): Promise<readonly PageAccount[]> {
  const found: PageAccount[] = [];
  let after = '';
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = { fields: FIELDS, limit: '100', ...(after ? { after } : {}) };
    const { body } = await get(caller, 'me/accounts', query);
    const listed = at(body, 'data');
    for (const each of Array.isArray(listed) ? listed : []) {
      const account = readPage(each);
      if (account) found.push(account);
    }
    after = textAt(body, 'paging', 'cursors', 'after');
    if (!after || at(body, 'paging', 'next') === undefined) break;
  }
  return found;
}

/** Returns null if no Instagram account is linked, or if the user's role on the Page does not allow posting. */
export function readPage(page: unknown): PageAccount | null {
  const text = (name: string) => textAt(page, 'instagram_business_account', name);
  const tasks = at(page, 'tasks');
  const may = !Array.isArray(tasks) || tasks.includes('MANAGE') || tasks.includes('CREATE_CONTENT');
  if (!may || !/^\d+$/.test(text('id'))) return null;
  return {
    igId: text('id'),
    username: text('username'),
    name: text('name'),
    picture: text('profile_picture_url'),
    token: textAt(page, 'access_token'),
  };
}

export function callerFor({ http, endpoints, apps }: ConnectContext, accessToken: string): Caller {
  return { http, endpoints, login: 'facebook', token: accessToken, app: apps.facebook ?? null };
}

function tokensOf(
  accessToken: string,
  accounts: readonly PageAccount[],
  scopes: readonly string[],
  expiresIn: number | null,
): Tokens {
  const pages: JsonObject = Object.fromEntries(
    accounts.flatMap((account) => (account.token ? [[account.igId, account.token]] : [])),
  );
  const lasts = Object.keys(pages).length > 0;
  return {
    secret: { login: 'facebook', accessToken, ...(lasts ? { pages } : {}) },
    scopes,
    expiresIn: lasts ? null : expiresIn,
    refreshExpiresIn: null,
    service: '',
  };
}

/** Permissions that the user granted; empty if the platform states none. @throws PlatformError */
async function grantedScopes(caller: Caller): Promise<readonly string[]> {
  const { body } = await get(caller, 'me/permissions', {});
  const listed = at(body, 'data');
  return (Array.isArray(listed) ? listed : [])
    .filter((each) => textAt(each, 'status') === 'granted')
    .map((each) => textAt(each, 'permission'))
    .filter(Boolean);
}

/** @throws PlatformError */
async function token(
  context: ConnectContext,
  query: Record<string, string>,
): Promise<{ token: string; expiresIn: number | null }> {
  const { http, endpoints } = context;
  const url = `${graphUrl({ endpoints, login: 'facebook' }, 'oauth/access_token')}?${new URLSearchParams(query)}`;
  try {
    const { body } = said(await http({ method: 'GET', url }));
    const found = textAt(body, 'access_token');
    if (!found) throw new PlatformError(transient('Facebook gave no token.'));
    return { token: found, expiresIn: numberAt(body, 'expires_in') };
  } catch (error) {
    // A rejected code, URL or secret is a problem of the sign-in, not of an account.
    if (!(error instanceof PlatformError) || error.failure.kind !== 'rejected') throw error;
    throw new PlatformError({ ...error.failure, kind: 'setup' }, { cause: error });
  }
}
