/** Accounts, Pages and permissions as the Graph API returns them. */
import type { SimulatorOptions, SimulatorResponse } from '../../contract.ts';
import { fieldsIn } from '../../graph/parameters.ts';
import { ok } from '../../graph/responses.ts';
import type { JsonObject } from '../../json.ts';
import { asCaller, type Caller, type CallerHandler, missing, picked, pickFields } from './caller.ts';
import { type Account, type Grant, SCOPES, settingsOf } from './records.ts';
import { refuse } from './responses.ts';
import { killGrant, pageToken } from './tokens.ts';

/** `GET /me`: the account on Instagram's host, the person on Facebook's. */
export const me = asCaller(async (options, _request, host, { parameters, grant, igIds }) => {
  if (host === 'facebook') return picked({ id: grant.person, name: 'Nora' }, parameters);
  if (!grant.scopes.includes('instagram_business_basic'))
    return refuse('10', 'The application has no permission for this action.');
  const account = await options.store.get<Account>('account', igIds[0] ?? '');
  if (!account) return refuse('190', 'Invalid OAuth access token.');
  const own = { id: account.scopedId, user_id: account.igId, account_type: account.type };
  return picked({ ...shown(options, account), ...own }, parameters, 'id,username');
});

/** A professional account by id. The account type is not available on Facebook's host. */
export function accountNode(options: SimulatorOptions, { parameters }: Caller, account: Account): SimulatorResponse {
  return picked(shown(options, account), parameters);
}

/** `GET /me/accounts`: the selected Pages, each with its token and linked account, without those of a portfolio. */
export const pagesOfUser = asCaller(async (options, request, _host, caller) => {
  const { portfolio } = await settingsOf(options);
  return pageList(options, caller, { path: request.path, hidden: portfolio !== null });
});

/** `GET /me/businesses`: the business portfolio of the person, if the Pages belong to one. */
export const businesses = asCaller(async (options, _request, _host, { grant }) => {
  if (!grant.scopes.includes('business_management')) return refuse('200', 'Requires business_management.');
  const { portfolio } = await settingsOf(options);
  return ok({ data: portfolio ? [{ id: businessOf(grant), name: 'Portfolio' }] : [] });
});

/** `GET /{business}/owned_pages` and `GET /{business}/client_pages`. */
export const pagesOfBusiness =
  (edge: 'owned_pages' | 'client_pages'): CallerHandler =>
  async (options, caller, id) => {
    const { grant, parameters } = caller;
    if (!grant.scopes.includes('business_management')) return refuse('200', 'Requires business_management.');
    const { portfolio } = await settingsOf(options);
    if (!portfolio || id !== businessOf(grant)) return missing(id);
    if (fieldsIn(parameters.get('fields') ?? '').includes('tasks'))
      return refuse('100', 'Tried accessing nonexisting field (tasks) on a Page.');
    return pageList(options, caller, { path: `/graph-facebook/v25.0/${id}/${edge}`, hidden: portfolio !== edge });
  };

function businessOf({ person }: Grant): string {
  return `77${person}`;
}

/** @param list its path, and whether the Pages are on another list */
async function pageList(
  options: SimulatorOptions,
  { parameters, grant, grantId, record, token }: Caller,
  list: { path: string; hidden: boolean },
): Promise<SimulatorResponse> {
  if (record.life === 'page') return refuse('100', 'Tried accessing nonexisting field (accounts) on a Page.');
  if (!grant.scopes.includes('pages_show_list')) return refuse('200', 'Requires pages_show_list.');
  const limit = Number(parameters.get('limit') ?? 25);
  if (!Number.isInteger(limit) || limit < 1) return refuse('100', 'limit must be a positive number.');
  const start = Number(Buffer.from(parameters.get('after') ?? '', 'base64url').toString() || 0);
  const asked = parameters.get('fields') || 'id,name,access_token,tasks,category';
  const fields = fieldsIn(asked);
  const [, inner = ''] = /(?:^|,)instagram_business_account\{([^}]*)\}/.exec(asked) ?? [];
  const igIds = list.hidden ? [] : grant.igIds;
  const data: JsonObject[] = [];
  for (const igId of igIds.slice(start, start + limit)) {
    const account = await options.store.get<Account>('account', igId);
    if (!account) continue;
    const { id, name, tasks } = account.page;
    const page = pickFields(
      {
        id,
        name,
        category: 'Video Creator',
        tasks,
        access_token: fields.includes('access_token') ? await pageToken(options, grantId, igId) : '',
        instagram_business_account: pickFields(shown(options, account), fieldsIn(inner)),
      },
      fields,
    );
    if (!grant.scopes.includes('instagram_basic')) delete page.instagram_business_account;
    data.push(page);
  }
  const more = start + limit < igIds.length;
  const after = Buffer.from(String(start + limit)).toString('base64url');
  const next = `${options.baseUrl}${list.path}?access_token=${token}&after=${after}`;
  return ok({ data, paging: { cursors: { before: 'a', after }, ...(more ? { next } : {}) } });
}

/** A selected Page by id; undefined if it is unknown or not selected. */
export async function pageNode(
  options: SimulatorOptions,
  { parameters, grant }: Caller,
  id: string,
): Promise<SimulatorResponse | undefined> {
  for (const igId of grant.login === 'facebook' ? grant.igIds : []) {
    const account = await options.store.get<Account>('account', igId);
    if (account?.page.id !== id) continue;
    return picked({ id, name: account.page.name, instagram_business_account: { id: igId } }, parameters, 'id,name');
  }
  return undefined;
}

/** `GET /me/permissions`: granted and declined permissions. */
export const permissions = asCaller(async (_options, _request, _host, { grant: { scopes } }) => {
  const known = [...new Set([...SCOPES.facebook, ...scopes])];
  const statusOf = (permission: string) => (scopes.includes(permission) ? 'granted' : 'declined');
  return ok({ data: known.map((permission) => ({ permission, status: statusOf(permission) })) });
});

/** `DELETE /me/permissions`: removes the app from the person, with all consents through Facebook. */
export const removeApplication = asCaller(async (options, _request, _host, { grant }) => {
  for (const { key } of await options.store.list<Grant>('grant', { owner: grant.person, limit: 1000 }))
    await killGrant(options, key, 458);
  return ok({ success: true });
});

function shown({ baseUrl }: SimulatorOptions, { igId, username, name }: Account): JsonObject {
  return {
    id: igId,
    ig_id: Number(igId.slice(5)),
    username,
    name,
    biography: '',
    website: '',
    profile_picture_url: `${baseUrl}/picture/${igId}.png`,
    followers_count: 0,
    follows_count: 0,
    media_count: 0,
  };
}
