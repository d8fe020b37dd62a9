/** Accounts, Pages and permissions as the Graph API returns them. */

import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { ok } from '../../graph/answers.ts';
import type { Json, JsonObject } from '../../json.ts';
import { refuse } from './answers.ts';
import { asCaller, type Caller } from './caller.ts';
import { pictureUrl } from './pages.ts';
import { fieldsOf, innerFields, pick } from './parameters.ts';
import { type Account, type Login, SCOPES } from './records.ts';
import { killGrant, pageToken } from './tokens.ts';

/** `GET /me`: the account on Instagram's host, the person on Facebook's. */
export function me(options: SimulatorOptions, request: SimulatorRequest, host: Login): Promise<SimulatorResponse> {
  return asCaller(options, request, host, async (caller) => {
    if (host === 'facebook') return picked({ id: '9000000000000001', name: 'Nora' }, fieldsOf(caller.parameters, []));
    if (!caller.grant.scopes.includes('instagram_business_basic'))
      return refuse('10', 'The application has no permission for this action.');
    const account = await options.books.get<Account>('account', caller.igIds[0] ?? '');
    if (!account) return refuse('190', 'Invalid OAuth access token.');
    const all = {
      ...shown(options, account),
      id: account.scopedId,
      user_id: account.igId,
      account_type: account.type,
    };
    return picked(all, fieldsOf(caller.parameters, ['id', 'username']));
  });
}

/** A professional account by id. The account type is not available on Facebook's host. */
export function accountNode(options: SimulatorOptions, caller: Caller, account: Account): SimulatorResponse {
  return picked(shown(options, account), fieldsOf(caller.parameters, ['id']));
}

/** `GET /me/accounts`: the selected Pages, each with its token and linked account. */
export function pagesOfUser(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  return asCaller(options, request, 'facebook', async (caller) => {
    const { parameters, grant, grantId, record } = caller;
    if (record.life === 'page') return refuse('100', 'Tried accessing nonexisting field (accounts) on a Page.');
    if (!grant.scopes.includes('pages_show_list')) return refuse('200', 'Requires pages_show_list.');
    const limit = Number(parameters.get('limit') ?? 25);
    if (!Number.isInteger(limit) || limit < 1) return refuse('100', 'limit must be a positive number.');
    const start = Number(Buffer.from(parameters.get('after') ?? '', 'base64url').toString() || 0);
    const fields = fieldsOf(parameters, ['id', 'name', 'access_token', 'tasks', 'category']);
    const data: JsonObject[] = [];
    for (const igId of grant.igIds.slice(start, start + limit)) {
      const account = await options.books.get<Account>('account', igId);
      if (!account) continue;
      const inner = pick<Json>(shown(options, account), innerFields(parameters, 'instagram_business_account'));
      if (!inner) return refuse('100', 'Tried accessing nonexisting field.');
      const all: JsonObject = {
        id: account.page.id,
        name: account.page.name,
        category: 'Video Creator',
        tasks: account.page.tasks,
        access_token: fields.includes('access_token') ? await pageToken(options, grantId, igId) : '',
        instagram_business_account: inner,
      };
      const shownPage = pick(all, fields);
      if (!shownPage) return refuse('100', 'Tried accessing nonexisting field.');
      if (!grant.scopes.includes('instagram_basic')) delete shownPage.instagram_business_account;
      data.push(shownPage);
    }
    const more = start + limit < grant.igIds.length;
    const after = Buffer.from(String(start + limit)).toString('base64url');
    const next = `${options.baseUrl}/graph-facebook/v25.0/me/accounts?access_token=${caller.token}&after=${after}`;
    return ok({ data, paging: { cursors: { before: 'a', after }, ...(more ? { next } : {}) } });
  });
}

/** `GET /me/permissions`: granted and declined permissions. */
export function permissions(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  return asCaller(options, request, 'facebook', async ({ grant }) => {
    const known = [...new Set([...SCOPES.facebook, ...grant.scopes])];
    const data = known.map((permission) => ({
      permission,
      status: grant.scopes.includes(permission) ? 'granted' : 'declined',
    }));
    return ok({ data });
  });
}

/** `DELETE /me/permissions`: removes the app. */
export function removeApplication(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  return asCaller(options, request, 'facebook', async ({ grantId }) => {
    await killGrant(options, grantId, 458);
    return ok({ success: true });
  });
}

/** A response with the requested fields, or an error if one is unknown. */
export function picked(all: JsonObject, fields: readonly string[]): SimulatorResponse {
  const body = pick<Json>(all, fields);
  return body ? ok(body) : refuse('100', 'Tried accessing nonexisting field.');
}

function shown(options: SimulatorOptions, account: Account): JsonObject {
  return {
    id: account.igId,
    username: account.username,
    name: account.name,
    biography: '',
    website: '',
    profile_picture_url: pictureUrl(options, account),
    followers_count: 0,
    follows_count: 0,
    media_count: 0,
  };
}
