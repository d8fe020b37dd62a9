/** Lists the accounts that a consent covers: the member, the pages, or both, depending on the granted scopes. */
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Json, Tokens } from '../contract.ts';
import { rejected } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { type Caller, call, isOrganization } from './api.ts';
import { capabilities } from './limits.ts';

/** Roles that may post as a page. LinkedIn has used both names for the content administrator. */
const POSTING_ROLES = ['ADMINISTRATOR', 'CONTENT_ADMINISTRATOR', 'CONTENT_ADMIN', 'DIRECT_SPONSORED_CONTENT_POSTER'];
const MAX_PAGES = 10;

const NO_PAGE: Failure = rejected(
  'permission',
  'LinkedIn names no page that you may post as. You need a role on it: super admin or content admin.',
);

/** Returns the first account of {@link identifyAll}. @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const [first] = await identifyAll(context, tokens);
  if (first) return first;
  throw new PlatformError(NO_PAGE);
}

/** Lists pages first, because their posts can be verified. @throws PlatformError */
export async function identifyAll(context: ConnectContext, tokens: Tokens): Promise<readonly AccountFacts[]> {
  const caller: Caller = { ...context, secret: tokens.secret };
  const found: AccountFacts[] = [];
  if (tokens.scopes.includes('rw_organization_admin'))
    for (const urn of await pagesOf(caller)) found.push(...(await pageFacts(caller, urn)));
  if (tokens.scopes.includes('openid') || tokens.scopes.length === 0) found.push(await memberFacts(caller));
  if (found.length === 0) throw new PlatformError(NO_PAGE);
  return found;
}

/** Uses the display name as username, because `/v2/userinfo` has no vanity name. @throws PlatformError */
async function memberFacts(caller: Caller): Promise<AccountFacts> {
  const response = await call(caller, 'GET', '/v2/userinfo');
  const info = response.json();
  const sub = textAt(info, 'sub');
  const name = textAt(info, 'name') || [textAt(info, 'given_name'), textAt(info, 'family_name')].join(' ').trim();
  return {
    remoteId: sub && `urn:li:person:${sub}`,
    username: name || sub,
    displayName: name || sub,
    avatarUrl: webAddress(textAt(info, 'picture')),
    capabilities,
  };
}

/** Lists the URNs of the pages on which the member has a posting role. @throws PlatformError */
async function pagesOf(caller: Caller): Promise<string[]> {
  const urns = new Set<string>();
  for (const role of POSTING_ROLES)
    try {
      for (const urn of await pagesWithRole(caller, role)) urns.add(urn);
    } catch (error) {
      // A role name that LinkedIn does not accept does not affect the other roles.
      if (role === 'ADMINISTRATOR' || !(error instanceof PlatformError) || error.failure.status !== 400) throw error;
    }
  return [...urns];
}

async function pagesWithRole(caller: Caller, role: string): Promise<string[]> {
  const urns: string[] = [];
  const query = new URLSearchParams({ q: 'roleAssignee', role, state: 'APPROVED' });
  for (let page = 0; page < MAX_PAGES; page++) {
    const body = (await call(caller, 'GET', `/rest/organizationAcls?${query}`)).json();
    const listed = at(body, 'elements');
    const elements: unknown[] = Array.isArray(listed) ? listed : [];
    for (const element of elements) {
      // Some API versions use another field name.
      const urn = textAt(element, 'organization') || textAt(element, 'organizationTarget');
      const state = textAt(element, 'state');
      if (isOrganization(urn) && (state === '' || state === 'APPROVED')) urns.push(urn);
    }
    const links = at(body, 'paging', 'links');
    const more = Array.isArray(links) && links.some((link) => textAt(link, 'rel') === 'next');
    if (!more || elements.length === 0) break;
    query.set('start', String(Number(query.get('start') ?? 0) + elements.length));
    query.set('count', String(elements.length));
  }
  return urns;
}

/** Returns an empty list for a page that is deleted or not accessible, so that the other pages still load. */
async function pageFacts(caller: Caller, urn: string): Promise<AccountFacts[]> {
  const id = urn.split(':').at(-1) ?? '';
  let info: Json;
  try {
    info = (await call(caller, 'GET', `/rest/organizations/${encodeURIComponent(id)}`)).json();
  } catch (error) {
    if (error instanceof PlatformError && [403, 404].includes(error.failure.status ?? 0)) return [];
    throw error;
  }
  const name = textAt(info, 'localizedName');
  const username = textAt(info, 'vanityName') || name || id;
  const logo =
    textAt(info, 'logoV2', 'original~', 'elements', 0, 'identifiers', 0, 'identifier') ||
    textAt(info, 'logoV2', 'original');
  return [
    {
      remoteId: urn,
      username,
      displayName: name || username,
      avatarUrl: webAddress(logo),
      capabilities: { ...capabilities, watch: 'poll' },
    },
  ];
}

/** Returns "" for a picture that is a URN, because a URN cannot be fetched. */
function webAddress(text: string): string {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? url.href : '';
}
