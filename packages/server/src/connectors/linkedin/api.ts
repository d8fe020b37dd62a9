/** Client for the versioned API, and the accounts of a consent. */
import type { HttpRequest, HttpResponse } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Json, Session, Tokens } from '../contract.ts';
import { reconnect, rejected } from '../kit/failures.ts';
import { listAt, textAt } from '../kit/json.ts';
import { readPages } from '../kit/pages.ts';
import { bearer } from '../kit/requests.ts';
import { failureOf } from './classify.ts';
import { capabilities } from './limits.ts';
import { say } from './messages.ts';

/**
 * Default version (a month) of the API; the operator may set another. Each version is served for at least a year ("API
 * versioning").
 */
const VERSION = '202609';

type Caller = Pick<Session, 'http' | 'endpoints' | 'secret' | 'settings' | 'now'>;

/** Builds the headers that every call of the versioned API needs. */
export function headersFor({ secret, settings }: Pick<Session, 'secret' | 'settings'>): Record<string, string> {
  return {
    ...bearer(secret),
    'LinkedIn-Version': settings.apiVersion ?? VERSION,
    'X-Restli-Protocol-Version': '2.0.0',
  };
}

/** @param path includes the query, with URNs escaped @throws PlatformError if the response is not 2xx */
export async function call(
  caller: Caller,
  method: HttpRequest['method'],
  path: string,
  more: { json?: Record<string, unknown>; headers?: Record<string, string>; maxResponseBytes?: number } = {},
): Promise<HttpResponse> {
  const response = await caller.http({
    method,
    url: `${caller.endpoints.api}${path}`,
    headers: { ...headersFor(caller), ...more.headers },
    ...(more.json ? { json: more.json } : {}),
    maxResponseBytes: more.maxResponseBytes,
  });
  if (response.status < 200 || response.status > 299)
    throw new PlatformError(forCaller(failureOf(response, caller.now()), caller));
  return response;
}

/** Turns an expired access token into `reconnect` if there is no refresh token. Most applications have none. */
function forCaller(failure: Failure, { secret }: Pick<Session, 'secret'>): Failure {
  if (failure.platformCode !== 'EXPIRED_ACCESS_TOKEN' || textAt(secret, 'refreshToken')) return failure;
  return { ...failure, ...reconnect(say('access_expired')) };
}

/** Whether LinkedIn does not show something to the account: it does not exist (yet), or access is denied. */
export function isHidden(error: unknown): error is PlatformError {
  return error instanceof PlatformError && [403, 404].includes(error.failure.status ?? 0);
}

/** Whether a list has another page. */
export function hasNextPage(body: Json): boolean {
  return listAt(body, 'paging', 'links').some((link) => textAt(link, 'rel') === 'next');
}

export const isOrganization = (urn: string) => urn.startsWith('urn:li:organization:');

export const isWebAddress = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

/** Roles that may post as a page. LinkedIn has used both names for the content administrator. */
const POSTING_ROLES = ['ADMINISTRATOR', 'CONTENT_ADMINISTRATOR', 'CONTENT_ADMIN', 'DIRECT_SPONSORED_CONTENT_POSTER'];
const MAX_PAGES = 10;

/** Returns the first account of {@link identifyAll}. @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  return (await identifyAll(context, tokens))[0];
}

/**
 * Lists the accounts that a consent covers, depending on the granted scopes. Pages come first, because their posts can
 * be verified. @throws PlatformError, also if no account is covered
 */
export async function identifyAll(
  context: ConnectContext,
  tokens: Tokens,
): Promise<readonly [AccountFacts, ...AccountFacts[]]> {
  const caller: Caller = { ...context, secret: tokens.secret };
  const found: AccountFacts[] = [];
  if (tokens.scopes.includes('rw_organization_admin'))
    for (const urn of await pagesOf(caller)) found.push(...(await pageFacts(caller, urn)));
  if (tokens.scopes.includes('openid') || tokens.scopes.length === 0) found.push(await memberFacts(caller));
  else if (tokens.scopes.includes('r_basicprofile')) found.push(await profileFacts(caller));
  const [first, ...others] = found;
  if (!first) throw new PlatformError(rejected('permission', say('page_missing')));
  return [first, ...others];
}

/** Uses the display name as username, because `/v2/userinfo` has no vanity name. @throws PlatformError */
async function memberFacts(caller: Caller): Promise<AccountFacts> {
  const info = (await call(caller, 'GET', '/v2/userinfo')).json();
  const sub = textAt(info, 'sub');
  const name = textAt(info, 'name') || `${textAt(info, 'given_name')} ${textAt(info, 'family_name')}`.trim() || sub;
  const avatarUrl = webAddress(textAt(info, 'picture'));
  return { remoteId: sub && `urn:li:person:${sub}`, username: name, displayName: name, avatarUrl, capabilities };
}

/** For an application with the Community Management API, which has no OpenID Connect. @throws PlatformError */
async function profileFacts(caller: Caller): Promise<AccountFacts> {
  const fields = '(id,vanityName,localizedFirstName,localizedLastName,profilePicture(displayImage~:playableStreams))';
  const me = (await call(caller, 'GET', `/v2/me?projection=${fields}`)).json();
  const id = textAt(me, 'id');
  const name = `${textAt(me, 'localizedFirstName')} ${textAt(me, 'localizedLastName')}`.trim();
  const username = textAt(me, 'vanityName') || name || id;
  return {
    remoteId: id && `urn:li:person:${id}`,
    username,
    displayName: name || username,
    avatarUrl: pictureOf(me, 'profilePicture', 'displayImage'),
    capabilities,
  };
}

/** Lists the URNs of the pages on which the member has a posting role. @throws PlatformError */
async function pagesOf(caller: Caller): Promise<Set<string>> {
  const urns = new Set<string>();
  for (const role of POSTING_ROLES)
    try {
      for (const urn of await pagesWithRole(caller, role)) urns.add(urn);
    } catch (error) {
      // A role name that LinkedIn does not accept does not affect the other roles.
      if (role === 'ADMINISTRATOR' || !(error instanceof PlatformError) || error.failure.status !== 400) throw error;
    }
  return urns;
}

async function pagesWithRole(caller: Caller, role: string): Promise<string[]> {
  const roles = new URLSearchParams({ q: 'roleAssignee', role, state: 'APPROVED' });
  const { items } = await readPages(MAX_PAGES, async (cursor) => {
    const path = `/rest/organizationAcls?${roles}`;
    const body = (await call(caller, 'GET', cursor ? `${path}&start=${cursor}` : path)).json();
    const elements = listAt(body, 'elements');
    const start = Number.parseInt(cursor, 10) || 0;
    const next = `${start + elements.length}&count=${elements.length}`;
    return { items: elements, next: hasNextPage(body) && elements.length > 0 ? next : '' };
  });
  return items
    .filter((item) => ['', 'APPROVED'].includes(textAt(item, 'state')))
    .map((item) => textAt(item, 'organization') || textAt(item, 'organizationTarget')) // depends on the API version
    .filter(isOrganization);
}

/** Returns an empty list for a page that is deleted or not accessible, so that the other pages still load. */
async function pageFacts(caller: Caller, urn: string): Promise<AccountFacts[]> {
  const id = urn.split(':').at(-1) ?? '';
  let info: Json;
  try {
    info = (await readPage(caller, `/rest/organizations/${encodeURIComponent(id)}`)).json();
  } catch (error) {
    if (isHidden(error)) return [];
    throw error;
  }
  const name = textAt(info, 'localizedName');
  const username = textAt(info, 'vanityName') || name || id;
  return [
    {
      remoteId: urn,
      username,
      displayName: name || username,
      avatarUrl: pictureOf(info, 'logoV2', 'original'),
      capabilities: { ...capabilities, watch: 'poll' },
    },
  ];
}

/** Without a projection the picture is a URN. If LinkedIn rejects the projection, the page is read without it. */
async function readPage(caller: Caller, path: string): Promise<HttpResponse> {
  const fields = '(id,localizedName,vanityName,logoV2(original~:playableStreams))';
  try {
    return await call(caller, 'GET', `${path}?projection=${fields}`);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.failure.status !== 400) throw error;
    return call(caller, 'GET', path);
  }
}

/** Returns the URL of a picture, or "" if there is only a URN, which cannot be fetched. */
function pictureOf(value: Json, group: string, field: string): string {
  const stream = textAt(value, group, `${field}~`, 'elements', 0, 'identifiers', 0, 'identifier');
  return webAddress(stream || textAt(value, group, field));
}

const webAddress = (text: string) => (isWebAddress(text) ? new URL(text).href : '');
