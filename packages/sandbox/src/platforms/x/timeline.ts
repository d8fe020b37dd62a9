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
import { type Account, type Post, switchesOf } from './records.ts';

/** Maximum number of posts in a timeline. */
const HISTORY = 3_200;
/** Default replication lag of lists, ms. */
const LIST_LAG_MS = 2 * SECOND;
const LIST = ['max_results', 'exclude', 'start_time', 'end_time', 'since_id', 'until_id', 'pagination_token'];

export const listPosts: CallerHandler = async (options, request) => {
  const { query } = request;
  const { mentionsAreReplies, fieldNames } = await switchesOf(options);
  rejectUnknown(query, [...LIST, ...fieldParameters(fieldNames)]);
  const max = numberOf(query, 'max_results', [5, 100], 10);
  const without = listOf(query, 'exclude', ['replies', 'retweets']);
  const noReplies = mentionsAreReplies && without.includes('replies');
  const show = presenter(options, query);
  const [from, to] = [timeOf(query, 'start_time'), timeOf(query, 'end_time')];
  if (from !== null && from > options.now())
    return invalid("Invalid 'start_time'. It must be a time before now.", { start_time: [] });
  const [since, until] = [idOf(query, 'since_id'), idOf(query, 'until_id')];
  const skipped = Number(query.get('pagination_token') ?? 0);
  if (!Number.isSafeInteger(skipped) || skipped < 0) return invalid('Invalid pagination_token.');
  const id = request.params.id ?? '';
  if (!(await options.store.get<Account>('account', id))) return notFound('id', id, 'user');
  const fitting = (await visible(options, id)).filter(
    (post) =>
      !(noReplies && post.text.startsWith('@')) &&
      (from === null || post.createdAt >= from) &&
      (to === null || post.createdAt < to) &&
      (since === null || BigInt(post.id) > since) &&
      (until === null || BigInt(post.id) < until),
  );
  const shown = fitting.slice(skipped, skipped + max);
  if (shown.length === 0) return { status: 200, body: { meta: { result_count: 0 } } };
  const more = fitting.length > skipped + max;
  const meta = {
    result_count: shown.length,
    newest_id: shown[0]?.id ?? '',
    oldest_id: shown.at(-1)?.id ?? '',
    ...(more ? { next_token: String(skipped + max) } : {}),
  };
  return { status: 200, body: { ...(await show(shown)), meta } };
};

export const showPost: CallerHandler = async (options, request) => {
  rejectUnknown(request.query, fieldParameters((await switchesOf(options)).fieldNames));
  const show = presenter(options, request.query);
  const post = await postOf(options, request.params.id ?? '');
  if (!post) return notFound('id', request.params.id ?? '', 'tweet');
  const { data, ...rest } = await show([post]);
  return { status: 200, body: { data: data[0] ?? {}, ...rest } };
};

/** Deleting a missing post succeeds too. */
export const deletePost: CallerHandler = async (options, request, { account }) => {
  const post = await postOf(options, request.params.id ?? '');
  if (post && post.accountId !== account.id) return blank(403, 'You are not authorized to delete this Tweet.');
  if (post) {
    await options.store.unpublish(post.id);
    await options.store.remove('post', post.key);
    await options.store.remove('post-key', post.id);
  }
  return { status: 200, body: { data: { deleted: true } } };
};

async function postOf(options: SimulatorOptions, id: string): Promise<Post | undefined> {
  const key = await options.store.get<string>('post-key', id);
  return key === undefined ? undefined : options.store.get<Post>('post', key);
}

async function visible(options: SimulatorOptions, accountId: string): Promise<Post[]> {
  const { listLagMs = LIST_LAG_MS } = await switchesOf(options);
  const known = await options.store.list<Post>('post', { owner: accountId, limit: HISTORY });
  const posts = known.map(({ value }) => value).filter(({ createdAt }) => createdAt + listLagMs <= options.now());
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
