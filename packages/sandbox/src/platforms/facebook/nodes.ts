/** Reads nodes: the login and its Pages, a Page, a video. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { fieldsIn, limitIn, type Parameters, parametersOf, pickFields } from '../../graph/parameters.ts';
import { ok } from '../../graph/responses.ts';
import type { Handler } from '../../http/routes.ts';
import type { JsonObject } from '../../json.ts';
import { DAY } from '../../time.ts';
import { actingPage, type Caller, callerOf, needs, noSuchObject, roleOf, simulateOutage } from './caller.ts';
import { type Grant, type Page, switchesOf, type Video } from './records.ts';
import { invalid, refuse, refuseField } from './responses.ts';
import { killGrant, pageToken } from './tokens.ts';
import { videoFields } from './video.ts';

/** `GET /me/accounts`: the selected Pages on which the login still has a role, without those of a business portfolio. */
export const listPages: Handler = async (options, request) => {
  const parameters = await parametersOf(request);
  const caller = await loginOf(options, request, parameters, 'accounts');
  const { portfolio } = await switchesOf(options);
  const fields = fieldsIn(parameters.get('fields') ?? 'access_token,category,name,id,tasks');
  return paged(options, request, parameters, portfolio ? [] : await selectedPages(options, caller, fields));
};

/** `GET /me/businesses`: the business portfolio of the login, if its Pages belong to one. */
export const listBusinesses: Handler = async (options, request) => {
  const parameters = await parametersOf(request);
  const caller = await loginOf(options, request, parameters, 'businesses');
  needs(caller, 'business_management');
  const { portfolio } = await switchesOf(options);
  return paged(options, request, parameters, portfolio ? [{ id: businessOf(caller), name: 'Portfolio' }] : []);
};

/** `GET /{business}/owned_pages` and `GET /{business}/client_pages`. */
export const listBusinessPages =
  (edge: 'owned_pages' | 'client_pages'): Handler =>
  async (options, request) => {
    const parameters = await parametersOf(request);
    const caller = await loginOf(options, request, parameters, edge);
    needs(caller, 'business_management');
    const { portfolio } = await switchesOf(options);
    const id = request.params.id ?? '';
    if (!portfolio || id !== businessOf(caller)) refuse(noSuchObject(id));
    const fields = fieldsIn(parameters.get('fields') ?? 'id,name');
    if (fields.includes('tasks')) refuseField('tasks', 'Page');
    return paged(options, request, parameters, portfolio === edge ? await selectedPages(options, caller, fields) : []);
  };

/** The id of the business portfolio of a login. */
function businessOf({ user }: Caller): string {
  return `77${user.id}`;
}

/** Returns the caller of a list of a login's Pages. @throws Refused for a Page token or without the permission */
async function loginOf(
  options: SimulatorOptions,
  request: SimulatorRequest,
  parameters: Parameters,
  field: string,
): Promise<Caller> {
  const caller = await callerOf(options, request, parameters);
  if (caller.record.pageId) refuseField(field, 'Page');
  needs(caller, 'pages_show_list');
  return caller;
}

async function selectedPages(options: SimulatorOptions, caller: Caller, fields: string[]): Promise<JsonObject[]> {
  const { user, grant } = caller;
  const roles = user.roles.filter(({ pageId }) => grant.pageIds.includes(pageId));
  return Promise.all(
    roles.map(async ({ pageId }) => {
      const page = await options.store.get<Page>('page', pageId);
      if (!page) throw new Error(`There is no Page ${pageId}.`);
      return pageFields(options, caller, page, fields);
    }),
  );
}

/** `GET /me/permissions`. */
export const listPermissions: Handler = async (options, request) => {
  const { grant } = await callerOf(options, request, await parametersOf(request));
  const line = (status: string) => (permission: string) => ({ permission, status });
  return ok({ data: [...grant.scopes.map(line('granted')), ...grant.declined.map(line('declined'))] });
};

/** `DELETE /me/permissions`: removes the app from the person, with all its consents. */
export const dropPermissions: Handler = async (options, request) => {
  const { record, user } = await callerOf(options, request, await parametersOf(request));
  if (record.pageId) invalid('A user access token is required to request this resource.');
  for (const { key } of await options.store.list<Grant>('grant', { owner: user.id, limit: 1000 }))
    await killGrant(options, key);
  return ok({ success: true });
};

/** `GET /{id}`: the login itself, a Page, or a video. */
export const readNode: Handler = async (options, request) => {
  const parameters = await parametersOf(request);
  const caller = await callerOf(options, request, parameters);
  const asked = parameters.get('fields');
  const id = request.params.id === 'me' ? (caller.record.pageId ?? caller.user.id) : (request.params.id ?? '');
  if (id === caller.user.id) return ok({ id, name: caller.user.username });
  const page = await options.store.get<Page>('page', id);
  if (page) {
    if (caller.record.pageId !== null && caller.record.pageId !== id) refuse(noSuchObject(id));
    roleOf(caller, id);
    await simulateOutage(options, id);
    return ok(await pageFields(options, caller, page, fieldsIn(asked ?? 'id,name')));
  }
  const video = await options.store.get<Video>('video', id);
  if (!video || (caller.record.pageId !== null && caller.record.pageId !== video.pageId)) refuse(noSuchObject(id));
  if (caller.record.pageId) await actingPage(options, caller, video.pageId);
  else roleOf(caller, video.pageId);
  needs(caller, 'pages_read_engagement');
  if (caller.record.pageId && (await switchesOf(options)).hiddenFromPages) refuse(noSuchObject(id));
  // No client is known to read a video before the transfer.
  if (video.size === null && options.now() - video.createdAt < DAY) refuse(noSuchObject(id));
  return ok(await videoFields(options, video, fieldsIn(asked ?? 'id,description,updated_time')));
};

async function pageFields(
  options: SimulatorOptions,
  caller: Caller,
  page: Page,
  fields: readonly string[],
): Promise<JsonObject> {
  const all = {
    id: page.id,
    name: page.name,
    username: page.username,
    category: page.category,
    picture: { data: { url: `${options.baseUrl}/picture/${page.id}.png` } },
    // Documented for a user token only.
    access_token: caller.record.pageId ? undefined : await pageToken(options, caller.record, page.id),
    tasks: [...roleOf(caller, page.id)],
  };
  return pickFields(all, fields, (field) => refuseField(field, 'Page'));
}

/** Responds with one page of a list and its cursors. */
export function paged(
  { baseUrl }: SimulatorOptions,
  { path }: SimulatorRequest,
  parameters: Parameters,
  all: JsonObject[],
): SimulatorResponse {
  const from = Number(Buffer.from(parameters.get('after') ?? '', 'base64url').toString() || 0) || 0;
  const data = all.slice(from, from + limitIn(parameters));
  if (data.length === 0) return ok({ data });
  const cursor = (index: number) => Buffer.from(String(index)).toString('base64url');
  const cursors = { before: cursor(from), after: cursor(from + data.length) };
  const next = `${baseUrl}${path}?${new URLSearchParams([...new Map([...parameters, ['after', cursors.after]])])}`;
  return ok({ data, paging: { cursors, ...(from + data.length < all.length ? { next } : {}) } });
}
