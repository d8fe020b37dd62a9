/** Posts: creating one, also over a bad line, and waiting for what becomes of it. */
import { isPassing, ReelayApiError } from './errors.ts';
import type { components, operations } from './generated/schema.ts';
import { formOf, type Video } from './multipart.ts';
import { pauseByTimer } from './pause.ts';
import { createRetries, type Retry } from './retry.ts';
import { jsonOf, type Pause, type Transport } from './transport.ts';

type Answer<Id extends keyof operations> = operations[Id] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export type HistoryEntry = components['schemas']['HistoryEntry'];
export type Post = components['schemas']['Post'];
export type PostResult = components['schemas']['PostResult'];
export type PostStatus = components['schemas']['PostStatus'];
export type CreatedPost = Omit<Answer<'createPost'>, 'success'>;
/** What would happen to a post, account by account. */
export type PostCheck = Omit<Answer<'checkPost'>, 'success'>;

export interface NewPost<Source = Video> {
  /** Or else `uploadId` or `videoUrl`. */
  video?: Source;
  /** A finished upload, see {@link ReelayClient.uploads}; it serves one post. */
  uploadId?: string;
  /** A public https address that the service fetches the video from. */
  videoUrl?: string;
  /** Ids of accounts. */
  platforms: readonly string[];
  description?: string;
  /** Absent: at once. A number is Unix time in ms. */
  scheduled?: Date | number;
  /** Seconds into the video at which the thumbnail is taken. */
  previewTime?: number;
  /** Makes a 9:16 video out of another shape. */
  fit?: 'pad' | 'crop';
  /** By name of a platform or id of an account: `caption`, and what the platform knows besides. */
  options?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Give the same one for the same post, also after this program has ended in between; absent: a new one. */
  idempotencyKey?: string;
  /** Told of bytes of the video. After a broken attempt it begins again; a blob is told of at its end only. */
  onProgress?: (progress: { sent: number; total: number }) => void;
  /** Told of a failed attempt before the next one. */
  onRetry?: (retry: Retry) => void;
  signal?: AbortSignal;
}

export type PostToCheck<Source = Video> = Omit<NewPost<Source>, 'idempotencyKey'>;

export interface WaitOptions {
  /** Gives up after so long, in ms; absent: waits as long as it takes. */
  timeoutMs?: number;
  /** Told of every look at the post. */
  onUpdate?: (post: Post) => void;
  signal?: AbortSignal;
}

export interface Range {
  from: Date | number;
  to: Date | number;
}

export interface Posts {
  /**
   * Uploads and queues. Sends the same idempotency key again when the answer is lost or the service is away for a
   * moment, so that there is never a second post. @throws ReelayApiError
   */
  create(post: NewPost): Promise<CreatedPost>;
  /** Asks what would happen; nothing is posted, kept or used up. @throws ReelayApiError where no account could take it */
  check(post: PostToCheck): Promise<PostCheck>;
  get(id: string): Promise<Post>;
  /** Newest first, ten to a page. @param page from 1 */
  history(page?: number): Promise<{ data: HistoryEntry[]; total: number }>;
  /** All of a range of dates, ends included. */
  historyBetween(range: Range): Promise<{ data: HistoryEntry[]; total: number }>;
  /** Deletes a scheduled post of which nothing has begun. */
  cancel(id: string): Promise<void>;
  /** @param change.scheduled null: now */
  edit(id: string, change: { description?: string; scheduled?: Date | number | null }): Promise<Post>;
  retry(id: string, options?: { platforms?: string[]; acceptDuplicate?: boolean }): Promise<Post>;
  /** Removes a finished post here. @returns the sentence that says where it stays */
  remove(id: string): Promise<string>;
  /**
   * Looks until no target is pending. A service that is away for up to two minutes is waited for.
   * @throws ReelayApiError `still_pending` after `timeoutMs`
   */
  waitFor(id: string, options?: WaitOptions): Promise<Post>;
}

const LONGEST_PAUSE_MS = 30_000;
/** For how long a service may be away while one waits for a post. */
const PATIENCE_MS = 120_000;

export function createPosts(transport: Transport, pause: Pause = pauseByTimer): Posts {
  const read = async (id: string, signal?: AbortSignal) =>
    (await jsonOf<Answer<'getPost'>>(transport, { method: 'GET', path: pathOf(id), signal })).data;
  const history = async (query: Record<string, number | undefined>) => {
    const { data, total } = await jsonOf<Answer<'listHistory'>>(transport, {
      method: 'GET',
      path: '/post/history',
      query,
    });
    return { data, total };
  };
  return {
    create: (post) => create(transport, pause, post),
    async check(post) {
      const { success: _, ...checked } = await submit<Answer<'checkPost'>>(transport, pause, post, '/post/check');
      return checked;
    },
    get: (id) => read(id),
    history: (page) => history({ page }),
    historyBetween: ({ from, to }) => history({ startTime: milliseconds(from), endTime: milliseconds(to) }),
    async cancel(id) {
      await jsonOf(transport, { method: 'GET', path: '/post/cancelSchedule', query: { id } });
    },
    async edit(id, { description, scheduled }) {
      const at = scheduled === undefined || scheduled === null ? scheduled : milliseconds(scheduled);
      const json = { description, scheduled: at };
      return (await jsonOf<Answer<'editPost'>>(transport, { method: 'PATCH', path: pathOf(id), json })).data;
    },
    async retry(id, options = {}) {
      const call = { method: 'POST', path: `${pathOf(id)}/retry`, json: options } as const;
      return (await jsonOf<Answer<'retryPost'>>(transport, call)).data;
    },
    remove: async (id) =>
      (await jsonOf<Answer<'deletePost'>>(transport, { method: 'DELETE', path: pathOf(id) })).message,
    waitFor: (id, options) => waitFor(read, pause, id, options ?? {}),
  };
}

async function create(transport: Transport, pause: Pause, post: NewPost): Promise<CreatedPost> {
  const key = post.idempotencyKey ?? crypto.getRandomValues(new Uint32Array(4)).join('-');
  const headers = { 'idempotency-key': key };
  const { success: _, ...created } = await submit<Answer<'createPost'>>(transport, pause, post, '/post', headers);
  return created;
}

/** Sends the form of a post, again where the answer is lost or the service is away for a moment. */
async function submit<Body>(
  transport: Transport,
  pause: Pause,
  post: PostToCheck,
  path: string,
  headers: Record<string, string> = {},
): Promise<Body> {
  const { video = null, uploadId, videoUrl } = post;
  if ([video, uploadId, videoUrl].filter((source) => source !== null && source !== undefined).length !== 1)
    throw new TypeError('A post has one of video, uploadId and videoUrl.');
  const form = formOf(fieldsOf(post), video);
  const total = video === null ? 0 : video instanceof Blob ? video.size : video.length;
  let broken: unknown;
  const watch = {
    onSent: (sent: number) => post.onProgress?.({ sent, total }),
    onBroken: (error: unknown) => {
      broken = error;
    },
  };
  const attempt = async (body: Awaited<ReturnType<typeof form.body>>): Promise<Body> => {
    const length: Record<string, string> = body instanceof Blob ? {} : { 'content-length': String(form.length) };
    const answer = await jsonOf<Body>(transport, {
      method: 'POST',
      path,
      headers: { 'content-type': form.contentType, ...headers, ...length },
      body,
      signal: post.signal,
    });
    if (video !== null) post.onProgress?.({ sent: total, total });
    return answer;
  };
  let body = await form.body(watch);
  const retries = createRetries(pause, { mayPass, maxDelayMs: LONGEST_PAUSE_MS }, post);
  for (;;)
    try {
      return await attempt(body);
    } catch (error) {
      if (broken !== undefined) throw broken;
      await retries.after(error);
      // What can be read only once cannot be sent again: then the first failure is the one to tell.
      body = await form.body(watch).catch(() => Promise.reject(error));
    }
}

function mayPass(error: unknown): error is ReelayApiError {
  return isPassing(error) || (error instanceof ReelayApiError && error.code === 'idempotency_in_progress');
}

function fieldsOf(post: PostToCheck): [string, string][] {
  const fields: [string, string][] = [['platforms', JSON.stringify(post.platforms)]];
  if (post.uploadId !== undefined) fields.push(['uploadId', post.uploadId]);
  if (post.videoUrl !== undefined) fields.push(['videoUrl', post.videoUrl]);
  if (post.description !== undefined) fields.push(['description', post.description]);
  if (post.scheduled !== undefined) fields.push(['scheduled', String(milliseconds(post.scheduled))]);
  if (post.previewTime !== undefined) fields.push(['previewTime', String(post.previewTime)]);
  if (post.fit !== undefined) fields.push(['fit', post.fit]);
  if (post.options !== undefined) fields.push(['options', JSON.stringify(post.options)]);
  return fields;
}

async function waitFor(
  read: (id: string, signal?: AbortSignal) => Promise<Post>,
  pause: Pause,
  id: string,
  { timeoutMs = Number.POSITIVE_INFINITY, onUpdate, signal }: WaitOptions,
): Promise<Post> {
  // Pauses are counted, not the clock: a computer that slept has not been patient.
  let waited = 0;
  let away = 0;
  for (;;) {
    let next = pauseAfter(waited);
    try {
      const post = await read(id, signal);
      away = 0;
      onUpdate?.(post);
      if (post.result.every((result) => result.status !== 'PENDING')) return post;
      const ahead = Date.parse(post.date) - Date.now();
      next = Math.max(next, Math.min(ahead, LONGEST_PAUSE_MS));
    } catch (error) {
      const limited = error instanceof ReelayApiError && error.code === 'rate_limited';
      if (!limited && !isPassing(error)) throw error;
      if (!limited && away >= PATIENCE_MS) throw error;
      next = Math.max(next, (error.retryAfter ?? 0) * 1_000);
      if (!limited) away += next;
    }
    if (waited >= timeoutMs)
      throw new ReelayApiError('The post is still pending.', { status: 0, code: 'still_pending' });
    next = Math.min(next, timeoutMs - waited);
    await pause(next, signal);
    waited += next;
  }
}

/** Often at first, when most is decided; later seldom enough for the limit of requests. */
function pauseAfter(waited: number): number {
  return waited < 20_000 ? 1_000 : waited < 120_000 ? 3_000 : 10_000;
}

function pathOf(id: string): string {
  return `/post/${encodeURIComponent(id)}`;
}

function milliseconds(time: Date | number): number {
  return typeof time === 'number' ? time : time.getTime();
}
