/** Accounts, Pages and permissions as the Graph API returns them. */
import type { SimulatorOptions, SimulatorResponse } from '../../contract.ts';
import { fieldsIn } from '../../graph/parameters.ts';
import { ok } from '../../graph/responses.ts';
import type { JsonObject } from '../../json.ts';
import { asCaller, type Caller, picked, pickFields } from './caller.ts';
import { type Account, type Grant, SCOPES } from './records.ts';
import { refuse } from './responses.ts';
import { killGrant, pageToken } from './tokens.ts';

/** `GET /me`: the account on Instagram's host, the person on Facebook's. */
export const me = asCaller(async (options, _request, host, { parameters, grant, igIds }) => {
  if (host === 'facebook') return picked({ id: grant.person, name: 'Nora' }, parameters);
  if (!grant.scopes.includes('instagram_business_basic'))
    return refuse('10', 'The application has no permission for this action.');
  const account = await options.books.get<Account>('account', igIds[0] ?? '');
  if (!account) return refuse('190', 'Invalid OAuth access token.');
  const own = { id: account.scopedId, user_id: account.igId, account_type: account.type };
  return picked({ ...shown(options, account), ...own }, parameters, 'id,username');
});

/** A professional account by id. The account type is not available on Facebook's host. */
export function accountNode(options: SimulatorOptions, { parameters }: Caller, account: Account): SimulatorResponse {
  return picked(shown(options, account), parameters);
}

/** `GET /me/accounts`: the selected Pages, each with its token and linked account. */
export const pagesOfUser = asCaller(async (options, _request, _host, caller) => {
  const { parameters, grant, grantId, record } = caller;
  if (record.life === 'page') return refuse('100', 'Tried accessing nonexisting field (accounts) on a Page.');
  if (!grant.scopes.includes('pages_show_list')) return refuse('200', 'Requires pages_show_list.');
  const limit = Number(parameters.get('limit') ?? 25);
  if (!Number.isInteger(limit) || limit < 1) return refuse('100', 'limit must be a positive number.');
  const start = Number(Buffer.from(parameters.get('after') ?? '', 'base64url').toString() || 0);
  const asked = parameters.get('fields') || 'id,name,access_token,tasks,category';
  const fields = fieldsIn(asked);
  const [, inner = ''] = /(?:^|,)instagram_business_account\{([^}]*)\}/.exec(asked) ?? [];
  const data: JsonObject[] = [];
  for (const igId of grant.igIds.slice(start, start + limit)) {
    const account = await options.books.get<Account>('account', igId);
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
  const more = start + limit < grant.igIds.length;
  const after = Buffer.from(String(start + limit)).toString('base64url');
  const next = `${options.baseUrl}/graph-facebook/v25.0/me/accounts?access_token=${caller.token}&after=${after}`;
  return ok({ data, paging: { cursors: { before: 'a', after }, ...(more ? { next } : {}) } });
});

/** `GET /me/permissions`: granted and declined permissions. */
export const permissions = asCaller(async (_options, _request, _host, { grant: { scopes } }) => {
  const known = [...new Set([...SCOPES.facebook, ...scopes])];
  const statusOf = (permission: string) => (scopes.includes(permission) ? 'granted' : 'declined');
  return ok({ data: known.map((permission) => ({ permission, status: statusOf(permission) })) });
});

/** `DELETE /me/permissions`: removes the app from the person, with all consents through Facebook. */
export const removeApplication = asCaller(async (options, _request, _host, { grant }) => {
  for (const { key } of await options.books.list<Grant>('grant', { owner: grant.person, limit: 1000 }))
    await killGrant(options, key, 458);
  return ok({ success: true });
});

function shown({ baseUrl }: SimulatorOptions, { igId, username, name }: Account): JsonObject {
  return {
    id: igId,
    username,
    name,
    biography: '',
    website: '',
    profile_picture_url: `${baseUrl}/picture/${igId}.svg`,
    followers_count: 0,
    follows_count: 0,
    media_count: 0,
  };
}
