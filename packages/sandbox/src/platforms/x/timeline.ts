/** Serves timelines and single posts, and deletes posts. */
import type { SimulatorOptions } from '../../contract.ts';
import { page, textPage } from '../../http/pages.ts';
import type { Handler } from '../../http/routes.ts';
import { Refused } from '../../refused.ts';
import { SECOND } from '../../time.ts';
import type { CallerHandler } from './caller.ts';
import { fieldParameters, presenter } from './fields.ts';
import { reveal } from './posts.ts';
import { blank, invalid, notFound } from './problems.ts';
import { listOf, numberOf, rejectUnknown } from './query.ts';
import { type Account, firstId, type Post, switchesOf, type XSwitches } from './records.ts';

/** Maximum number of posts in a timeline. */
const HISTORY = 3_200;
/** Default replication lag of lists, ms. */
const LIST_LAG_MS = 2 * SECOND;
const LIST = ['max_results', 'exclude', 'start_time', 'end_time', 'since_id', 'until_id', 'pagination_token'];

export const listPosts: CallerHandler = async (options, request) => {
  const { query } = request;
  const switches = await switchesOf(options);
  const { mentionsAreReplies, fieldNames } = switches;
  rejectUnknown(query, [...LIST, ...fieldParameters(fieldNames)]);
  const max = numberOf(query, 'max_results', [5, 100], 10);
  const without = listOf(query, 'exclude', ['replies', 'retweets']);
  const noReplies = mentionsAreReplies && without.includes('replies');
  const show = presenter(options, query, switches);
  const [from, to] = [timeOf(query, 'start_time'), timeOf(query, 'end_time')];
  if (from !== null && from > options.now())
    return invalid("Invalid 'start_time'. It must be a time before now.", { start_time: [] });
  const [since, until] = [idOf(query, 'since_id'), idOf(query, 'until_id')];
  const before = idOf(query, 'pagination_token');
  const id = request.params.id ?? '';
  if (!(await options.store.get<Account>('account', id))) return notFound('id', id, 'user');
  const fitting = (await visible(options, id, switches)).filter(
    (post) =>
      !(noReplies && post.text.startsWith('@')) &&
      (from === null || post.createdAt >= from) &&
      (to === null || post.createdAt < to) &&
      (since === null || BigInt(post.id) > since) &&
      (until === null || BigInt(post.id) < until) &&
      (before === null || BigInt(post.id) < before),
  );
  const shown = fitting.slice(0, max);
  if (shown.length === 0) return { status: 200, body: { meta: { result_count: 0 } } };
  const meta = {
    result_count: shown.length,
    newest_id: shown[0]?.id ?? '',
    oldest_id: shown.at(-1)?.id ?? '',
    ...(fitting.length > max ? { next_token: shown.at(-1)?.id ?? '' } : {}),
  };
  return { status: 200, body: { ...(await show(shown)), meta } };
};

export const showPost: CallerHandler = async (options, request) => {
  const switches = await switchesOf(options);
  rejectUnknown(request.query, fieldParameters(switches.fieldNames));
  const show = presenter(options, request.query, switches);
  const id = request.params.id ?? '';
  const post = await postOf(options, id);
  if (!post) return notFound('id', id, 'tweet');
  const { data, ...rest } = await show([{ ...post, ...post.edits?.find((edit) => edit.id === id) }]);
  return { status: 200, body: { data: data[0] ?? {}, ...rest } };
};

/** Deleting a missing post succeeds too. */
export const deletePost: CallerHandler = async (options, request, { account }) => {
  const post = await postOf(options, request.params.id ?? '');
  if (post && post.accountId !== account.id) return blank(403, 'You are not authorized to delete this Tweet.');
  if (post) await removePost(options, post);
  return { status: 200, body: { data: { deleted: true } } };
};

/** Deletes a post with all of its versions. */
export async function removePost({ store }: SimulatorOptions, post: Post): Promise<void> {
  await store.unpublish(firstId(post));
  await store.remove('post', post.key);
  for (const { id } of [post, ...(post.edits ?? [])]) await store.remove('post-key', id);
}

/** Finds a post by the id of any of its versions. */
export async function postOf(options: SimulatorOptions, id: string): Promise<Post | undefined> {
  const key = await options.store.get<string>('post-key', id);
  return key === undefined ? undefined : options.store.get<Post>('post', key);
}

async function visible(
  options: SimulatorOptions,
  accountId: string,
  { listLagMs = LIST_LAG_MS }: XSwitches,
): Promise<Post[]> {
  const known = await options.store.list<Post>('post', { owner: accountId, limit: HISTORY });
  const posts = known
    .map(({ value }) => value)
    .filter(({ createdAt, visibleAt = createdAt + listLagMs }) => visibleAt <= options.now());
  for (const post of posts) await reveal(options, post);
  return posts.sort((a, b) => (BigInt(a.id) > BigInt(b.id) ? -1 : 1));
}

function timeOf(query: URLSearchParams, name: string): number | null {
  const given = query.get(name);
  if (given === null) return null;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(given) && !Number.isNaN(Date.parse(given)))
    return Date.parse(given);
  throw new Refused(invalid(`The \`${name}\` query parameter value [${given}] is no valid time.`, { [name]: [given] }));
}

function idOf(query: URLSearchParams, name: string): bigint | null {
  const given = query.get(name);
  if (given === null) return null;
  if (/^[0-9]{1,19}$/.test(given)) return BigInt(given);
  throw new Refused(invalid(`The \`${name}\` query parameter value [${given}] is no id.`, { [name]: [given] }));
}

/** The public page of a post; the username in the URL is ignored. */
export const postPage: Handler = async (options, { params }) => {
  const post = await postOf(options, params.id ?? '');
  if (!post?.revealed) return page('This page does not exist', '', 404);
  const account = await options.store.get<Account>('account', post.accountId);
  return textPage(`${account?.name ?? ''} on X (sandbox)`, post.text);
};
