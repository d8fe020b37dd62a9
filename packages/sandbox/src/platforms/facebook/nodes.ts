/** Reads nodes: the login and its Pages, a Page, a video. */

import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { ok } from '../../graph/answers.ts';
import type { Json, JsonObject } from '../../json.ts';
import { refuse } from './answers.ts';
import { actingPage, type Caller, callerOf, needs, noSuchObject, roleOf, simulateOutage } from './caller.ts';
import { fieldsIn, paged, parametersOf } from './parameters.ts';
import type { Page, Video } from './records.ts';
import { killGrant, pageToken } from './tokens.ts';
import { videoFields } from './video.ts';

/** `GET /me/accounts`: the selected Pages on which the login still has a role. */
export async function listPages(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const parameters = await parametersOf(request);
  const caller = await callerOf(options, request, parameters);
  const { user, grant, record } = caller;
  if (record.pageId)
    refuse({ code: 100, message: '(#100) Tried accessing nonexisting field (accounts) on node type (Page)' });
  needs(caller, 'pages_show_list');
  const fields = fieldsIn(parameters.get('fields') ?? 'access_token,category,name,id,tasks');
  const roles = user.roles.filter(({ pageId }) => grant.pageIds.includes(pageId));
  const all = await Promise.all(
    roles.map(async ({ pageId }) => {
      const page = await options.books.get<Page>('page', pageId);
      if (!page) throw new Error(`There is no Page ${pageId}.`);
      return pageFields(options, caller, page, fields);
    }),
  );
  const again = new URLSearchParams([...parameters]);
  const next = (after: string) => {
    again.set('after', after);
    return `${options.baseUrl}${request.path}?${again}`;
  };
  return ok(paged(all, parameters, next) as unknown as JsonObject);
}

/** `GET /me/permissions`. */
export async function listPermissions(
  options: SimulatorOptions,
  request: SimulatorRequest,
): Promise<SimulatorResponse> {
  const { grant } = await callerOf(options, request, await parametersOf(request));
  const line = (status: string) => (permission: string) => ({ permission, status });
  return ok({ data: [...grant.scopes.map(line('granted')), ...grant.declined.map(line('declined'))] });
}

/** `DELETE /me/permissions`: removes the app from the login. */
export async function dropPermissions(
  options: SimulatorOptions,
  request: SimulatorRequest,
): Promise<SimulatorResponse> {
  const { record } = await callerOf(options, request, await parametersOf(request));
  if (record.pageId) refuse({ code: 100, message: '(#100) A user access token is required to request this resource.' });
  await killGrant(options, record.grantId);
  return ok({ success: true });
}

/** `GET /{id}`: the login itself, a Page, or a video. */
export async function readNode(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const parameters = await parametersOf(request);
  const caller = await callerOf(options, request, parameters);
  const asked = parameters.get('fields');
  const id = request.params.id === 'me' ? (caller.record.pageId ?? caller.user.id) : (request.params.id ?? '');
  if (id === caller.user.id) return ok({ id, name: caller.user.username });
  const page = await options.books.get<Page>('page', id);
  if (page) {
    if (caller.record.pageId !== null && caller.record.pageId !== id) refuse(noSuchObject(id));
    roleOf(caller, id);
    await simulateOutage(options, id);
    return ok(await pageFields(options, caller, page, fieldsIn(asked ?? 'id,name')));
  }
  const video = await options.books.get<Video>('video', id);
  if (!video || (caller.record.pageId !== null && caller.record.pageId !== video.pageId)) refuse(noSuchObject(id));
  await actingPage(options, caller, video.pageId);
  needs(caller, 'pages_read_engagement');
  return ok(await videoFields(options, video, fieldsIn(asked ?? 'id,description,updated_time')));
}

const PAGE_FIELDS = ['id', 'name', 'username', 'category', 'picture', 'access_token', 'tasks'] as const;

async function pageFields(
  options: SimulatorOptions,
  caller: Caller,
  page: Page,
  fields: readonly string[],
): Promise<JsonObject> {
  const unknown = fields.find((field) => !PAGE_FIELDS.some((known) => known === field));
  if (unknown)
    refuse({ code: 100, message: `(#100) Tried accessing nonexisting field (${unknown}) on node type (Page)` });
  const token = caller.record.pageId ? caller.token : await pageToken(options, caller.record, page.id);
  const all: Record<string, Json> = {
    id: page.id,
    name: page.name,
    username: page.username,
    category: page.category,
    picture: { data: { url: `${options.baseUrl}/picture/${page.id}.svg` } },
    access_token: token,
    tasks: [...roleOf(caller, page.id)],
  };
  // The id is always included.
  return Object.fromEntries(['id', ...fields].map((field) => [field, all[field] ?? null]));
}
