/** Statuses: create, show, list, delete, and the public page. */
import type { Route, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { escapeHtml } from '../../http/pages.ts';
import {
  type Caller,
  type CallerHandler,
  type PublicHandler,
  refusal,
  routesOf,
  withCaller,
  withOrWithoutCaller,
} from './access.ts';
import { createStatus } from './create-status.ts';
import { statusHtml } from './html.ts';
import { isPosted, removeStatus } from './keep.ts';
import { storedStatusJson } from './present.ts';
import { cancelScheduled, listScheduled, publishDue } from './scheduled.ts';
import type { Account, Status, World } from './state.ts';
import { text } from './texts.ts';

/** Maximum number of statuses in an account's list. */
const HISTORY = 5_000;
const PAGE = 20;
const MAX_PAGE = 40;

function maySee(status: Status, caller: Caller | null): boolean {
  return status.visibility === 'public' || status.visibility === 'unlisted' || caller?.account.id === status.accountId;
}

const show: PublicHandler = async (world, request, caller, locale) => {
  const status = await world.options.store.get<Status>('status', request.params.id ?? '');
  if (!status || status.hiddenUntil > world.now() || !maySee(status, caller) || !(await isPosted(world, status)))
    return refusal(404, text(locale, 'notFound'));
  return { status: 200, body: await storedStatusJson(world, status) };
};

const remove: CallerHandler = async (world, request, caller) => {
  const status = await world.options.store.get<Status>('status', request.params.id ?? '');
  if (!status || status.accountId !== caller.account.id) return refusal(404, text(caller.locale, 'notFound'));
  const body = await storedStatusJson(world, status);
  await removeStatus(world, status);
  return { status: 200, body: { ...body, text: status.text } };
};

const list: PublicHandler = async (world, request, caller, locale) => {
  const accountId = request.params.id ?? '';
  const query = request.query;
  if (!(await world.options.store.get<Account>('account', accountId))) return refusal(404, text(locale, 'notFound'));
  await publishDue(world, accountId);
  const { listLagMs = 0 } = await world.switches();
  const known = await world.options.store.list<Status>('status', { owner: accountId, limit: HISTORY });
  const id = (name: string) => (/^\d+$/.test(query.get(name) ?? '') ? BigInt(query.get(name) ?? '') : null);
  const [maxId, sinceId, minId] = [id('max_id'), id('since_id'), id('min_id')];
  const limit = Math.min(MAX_PAGE, Math.max(1, Number(query.get('limit')) || PAGE));
  const fitting = known
    .map(({ value }) => ({ status: value, id: BigInt(value.id) }))
    .sort((a, b) => (a.id > b.id ? -1 : 1))
    .filter(
      (entry) =>
        maySee(entry.status, caller) &&
        (entry.status.listedFrom ?? entry.status.createdAt + listLagMs) <= world.now() &&
        (query.get('exclude_replies') !== 'true' || !repliesToOthers(entry.status, known)) &&
        (query.get('only_media') !== 'true' || entry.status.mediaIds.length > 0) &&
        (maxId === null || entry.id < maxId) &&
        (sinceId === null || entry.id > sinceId) &&
        (minId === null || entry.id > minId),
    );
  const posted = await Promise.all(fitting.map(({ status }) => isPosted(world, status)));
  const there = fitting.filter((_, index) => posted[index]);
  // min_id pages forward: returns the adjacent page, still newest first.
  const shown = minId === null ? there.slice(0, limit) : there.slice(-limit);
  const oldest = shown.length === limit ? shown.at(-1) : undefined;
  const headers = linkHeader(world, request, shown[0]?.status.id, oldest?.status.id);
  return { status: 200, headers, body: await Promise.all(shown.map(({ status }) => storedStatusJson(world, status))) };
};

/** Replies to the account's own statuses count as statuses (Mastodon source). */
function repliesToOthers({ inReplyToId }: Status, own: readonly { key: string }[]): boolean {
  return inReplyToId !== undefined && !own.some(({ key }) => key === inReplyToId);
}

/** Builds the `Link` header with the older page (omitted if this page is not full) and the newer one. */
function linkHeader(
  world: World,
  request: SimulatorRequest,
  newest: string | undefined,
  oldest: string | undefined,
): Record<string, string> {
  const to = (name: string, id: string, rel: string) => {
    const query = new URLSearchParams(request.query);
    for (const old of ['max_id', 'since_id', 'min_id']) query.delete(old);
    query.set(name, id);
    return `<${world.options.baseUrl}${request.path}?${query}>; rel="${rel}"`;
  };
  const links = [oldest && to('max_id', oldest, 'next'), newest && to('min_id', newest, 'prev')].filter(Boolean);
  return links.length > 0 ? { link: links.join(', ') } : {};
}

async function page(world: World, request: SimulatorRequest): Promise<SimulatorResponse> {
  const status = await world.options.store.get<Status>('status', request.params.id ?? '');
  if (!request.params.handle?.startsWith('@') || !status?.revealed || !maySee(status, null))
    return refusal(404, 'Not Found');
  const handle = escapeHtml(request.params.handle);
  const videos = status.mediaIds.map(
    (id) =>
      `<video controls src="${escapeHtml(`${world.options.baseUrl}/system/media_attachments/${id}/original`)}"></video>`,
  );
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${handle}</title><h1>${handle}</h1>${statusHtml(status.text, world.options.baseUrl)}${videos.join('')}</html>`,
  };
}

export function statusRoutes(world: World): Route[] {
  const route = routesOf(world);
  return [
    route('POST', '/api/v1/statuses', withCaller(['write:statuses'], ['all', 'status'], createStatus)),
    route('GET', '/api/v1/statuses/:id', withOrWithoutCaller('read:statuses', show)),
    route('DELETE', '/api/v1/statuses/:id', withCaller(['write:statuses'], ['all', 'delete'], remove)),
    route('GET', '/api/v1/accounts/:id/statuses', withOrWithoutCaller('read:statuses', list)),
    route('GET', '/api/v1/scheduled_statuses', withCaller(['read:statuses'], ['all'], listScheduled)),
    route('DELETE', '/api/v1/scheduled_statuses/:id', withCaller(['write:statuses'], ['all'], cancelScheduled)),
    route('GET', '/:handle/:id', page),
  ];
}
