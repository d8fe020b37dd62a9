/** Posts: creating them with retries, and waiting for their outcome. */
import { isPassing, ReelayApiError } from './errors.ts';
import type { components } from './generated/schema.ts';
import { formOf, type Video } from './multipart.ts';
import { pauseByTimer } from './pause.ts';
import { createRetries, type Retry } from './retry.ts';
import { type BodyOf, type Call, jsonOf, type Pause, streamOf, type Transport } from './transport.ts';
import type { Preview } from './uploads.ts';

export type HistoryEntry = components['schemas']['HistoryEntry'];
export type Post = components['schemas']['Post'];
export type PostResult = components['schemas']['PostResult'];
export type PostStatus = components['schemas']['PostStatus'];
export type FoundPost = components['schemas']['DashboardPost'];
export type CreatedPost = Omit<BodyOf<'createPost'>, 'success'>;
/** What would happen to a post, per account. */
export type PostCheck = Omit<BodyOf<'checkPost'>, 'success'>;

/** The length of a caption on one account. */
export type CaptionCount = components['schemas']['CaptionCount'];

export interface NewPost<Source = Video> {
  /** Alternatively `uploadId` or `videoUrl`. */
  video?: Source;
  /** A finished upload, see {@link ReelayClient.uploads}. It can be used for one post. */
  uploadId?: string;
  /** A public https URL from which the service fetches the video. */
  videoUrl?: string;
  /** Account ids. */
  platforms: readonly string[];
  description?: string;
  /** Default: post immediately. A number is Unix time in ms. */
  scheduled?: Date | number;
  /** Position of the thumbnail in what is posted, in seconds. */
  previewTime?: number;
  /** Converts other aspect ratios to 9:16: with black bars, bars of the blurred video, or without the edges. */
  fit?: 'pad' | 'blur' | 'crop';
  /** With `crop`, which part stays: from 0, the left or the top, to 1. Default: 0.5. */
  cropPosition?: number;
  /** Posts only a part of the video: start and end in seconds. */
  trimStart?: number;
  trimEnd?: number;
  /** By platform name or account id: `caption`, and platform-specific options. */
  options?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Use the same key for the same post, even after a restart of your program. Default: a new key. */
  idempotencyKey?: string;
  /** Called with the number of bytes sent. A retry starts again at 0. For a blob it is called only at the end. */
  onProgress?: (progress: { sent: number; total: number }) => void;
  /** Called after a failed attempt, before the retry. */
  onRetry?: (retry: Retry) => void;
  signal?: AbortSignal;
}

export type PostToCheck<Source = Video> = Omit<NewPost<Source>, 'idempotencyKey'>;

export interface WaitOptions {
  /** Timeout in ms. Default: no timeout. */
  timeoutMs?: number;
  /** Called after every poll. */
  onUpdate?: (post: Post) => void;
  signal?: AbortSignal;
}

export interface Range {
  from: Date | number;
  to: Date | number;
}

export interface PostPage {
  data: FoundPost[];
  /** The cursor of the next page; null if this is the last. */
  next: string | null;
}

export interface PageOptions {
  /** `next` of the previous page. */
  cursor?: string;
  /** Posts per page, at most 100. Default: 50. */
  limit?: number;
  signal?: AbortSignal;
}

/** A post matches if it matches all of them. */
export interface PostFilter {
  /** Account id. */
  account?: string;
  /** At least one account has this status. With `account`, that account has it. */
  status?: PostStatus;
  /** The earliest date. */
  from?: Date | number;
  /** The latest date. */
  to?: Date | number;
  /** Part of the description, in upper or lower case. */
  text?: string;
}

/** What changes about a post; absent: unchanged. */
export interface PostChange {
  description?: string;
  /** null: post immediately */
  scheduled?: Date | number | null;
  /** Account ids, in order. The others are removed; one that failed starts over. */
  platforms?: readonly string[];
  /** As in {@link NewPost.options}. Replaces the captions and the options of all accounts. */
  options?: NewPost['options'];
  /** Position of the thumbnail in the video, in seconds. Default with `uploadId`: 0. */
  previewTime?: number;
  /** A finished upload that replaces the video. */
  uploadId?: string;
  /** With `uploadId`: converts a video of another shape to 9:16. */
  fit?: NewPost['fit'];
  /** With `uploadId`: as in {@link NewPost}. */
  cropPosition?: number;
  trimStart?: number;
  trimEnd?: number;
}

export interface Posts {
  /**
   * Uploads and queues a post. Retries with the same idempotency key if the response is lost or the service is briefly
   * unavailable. So there is never a second post.
   * @throws ReelayApiError
   */
  create(post: NewPost): Promise<CreatedPost>;
  /**
   * Checks what would happen to a post. Nothing is posted, stored or used up.
   * @throws ReelayApiError if no account could accept it
   */
  check(post: PostToCheck): Promise<PostCheck>;
  /** Requires a session. Counts the caption of each account as its platform does. Needs no video. */
  countCaptions(
    post: Pick<NewPost, 'platforms' | 'description' | 'options'>,
    options?: { signal?: AbortSignal },
  ): Promise<CaptionCount[]>;
  get(id: string): Promise<Post>;
  /**
   * Newest first, ten per page.
   * @param page from 1
   */
  history(page?: number): Promise<{ data: HistoryEntry[]; total: number }>;
  /** All entries in a date range, ends included. */
  historyBetween(range: Range): Promise<{ data: HistoryEntry[]; total: number }>;
  /** Requires a session. A page of the posts that match, newest first. */
  search(filter?: PostFilter, page?: PageOptions): Promise<PostPage>;
  /** Requires a session. A page of the posts that are scheduled or published in a range, newest first. */
  calendar(range: Range, page?: PageOptions): Promise<PostPage>;
  /** Deletes a scheduled post that has not started. */
  cancel(id: string): Promise<void>;
  /** Changes a post that has not started on any account: all changes, or none. */
  edit(id: string, change: PostChange): Promise<Post>;
  retry(id: string, options?: { platforms?: string[]; acceptDuplicate?: boolean }): Promise<Post>;
  /**
   * Lets accounts with `trouble` be tried again now, each at most once in 30 seconds.
   * @param options.platforms account ids; default: all @param options.code only trouble with this code
   */
  tryNow(id: string, options?: { platforms?: string[]; code?: string }): Promise<Post>;
  /** Ends the attempts of pending accounts. @param options as in {@link Posts.tryNow} */
  stop(id: string, options?: { platforms?: string[]; code?: string }): Promise<Post>;
  /**
   * Deletes a finished post from Reelay.
   * @returns a message that says where it is still published
   */
  remove(id: string): Promise<string>;
  /** Requires a session. Copies the stored video to an upload for a new post. Throws `video_gone` if it was removed. */
  copyVideo(id: string): Promise<{ uploadId: string; bytes: number }>;
  /** Requires a session. The stored video, in pieces. Throws `video_gone` if it was removed. */
  video(id: string): Promise<ReadableStream<Uint8Array>>;
  /** As {@link Uploads.orderPreview}, for the stored video of a post. Throws `video_gone` if it was removed. */
  orderPreview(id: string): Promise<Preview>;
  /** Requires a session. The preview of a post, in pieces. */
  preview(id: string): Promise<ReadableStream<Uint8Array>>;
  /**
   * Polls until no target is pending. Tolerates up to two minutes in which the service is unavailable.
   * @throws ReelayApiError `still_pending` after `timeoutMs`
   */
  waitFor(id: string, options?: WaitOptions): Promise<Post>;
}

const MAX_PAUSE_MS = 30_000;
/** How long the service may be unavailable while waiting for a post, in ms. */
const PATIENCE_MS = 120_000;

export function createPosts(transport: Transport, pause: Pause = pauseByTimer): Posts {
  const read = async (id: string, signal?: AbortSignal) =>
    (await jsonOf<BodyOf<'getPost'>>(transport, { method: 'GET', path: pathOf(id), signal })).data;
  const history = async (query: Record<string, number | undefined>) => {
    const { data, total } = await jsonOf<BodyOf<'listHistory'>>(transport, {
      method: 'GET',
      path: '/post/history',
      query,
    });
    return { data, total };
  };
  return {
    create: (post) => create(transport, pause, post),
    async check(post) {
      const { success: _, ...checked } = await submit<BodyOf<'checkPost'>>(transport, pause, post, '/post/check');
      return checked;
    },
    async countCaptions({ platforms, description = '', options }, { signal } = {}) {
      const json = { platforms, description, options };
      const call = { method: 'POST', path: '/dashboard/captions', json, signal } as const;
      return (await jsonOf<BodyOf<'countCaptions'>>(transport, call)).data;
    },
    get: (id) => read(id),
    history: (page) => history({ page }),
    historyBetween: ({ from, to }) => history({ startTime: milliseconds(from), endTime: milliseconds(to) }),
    search({ account, status, from, to, text } = {}, page = {}) {
      const range = { startTime: optional(from), endTime: optional(to) };
      return found(transport, '/dashboard/posts', { accountId: account, status, ...range, text }, page);
    },
    calendar: ({ from, to }, page = {}) =>
      found(transport, '/dashboard/calendar', { startTime: milliseconds(from), endTime: milliseconds(to) }, page),
    async cancel(id) {
      await jsonOf(transport, { method: 'GET', path: '/post/cancelSchedule', query: { id } });
    },
    async edit(id, { scheduled, ...change }) {
      const at = scheduled === undefined || scheduled === null ? scheduled : milliseconds(scheduled);
      const json = { ...change, scheduled: at };
      return (await jsonOf<BodyOf<'editPost'>>(transport, { method: 'PATCH', path: pathOf(id), json })).data;
    },
    async retry(id, options = {}) {
      const call = { method: 'POST', path: `${pathOf(id)}/retry`, json: options } as const;
      return (await jsonOf<BodyOf<'retryPost'>>(transport, call)).data;
    },
    async tryNow(id, options = {}) {
      const call = { method: 'POST', path: `${pathOf(id)}/try-now`, json: options } as const;
      return (await jsonOf<BodyOf<'tryNow'>>(transport, call)).data;
    },
    async stop(id, options = {}) {
      const call = { method: 'POST', path: `${pathOf(id)}/stop`, json: options } as const;
      return (await jsonOf<BodyOf<'stopTrying'>>(transport, call)).data;
    },
    remove: async (id) =>
      (await jsonOf<BodyOf<'deletePost'>>(transport, { method: 'DELETE', path: pathOf(id) })).message,
    async copyVideo(id) {
      const path = dashboardPathOf(id, 'upload');
      return (await jsonOf<BodyOf<'copyVideo'>>(transport, { method: 'POST', path })).data;
    },
    video: (id) => streamOf(transport, { method: 'GET', path: dashboardPathOf(id, 'video') }),
    async orderPreview(id) {
      const path = dashboardPathOf(id, 'preview');
      return (await jsonOf<BodyOf<'orderPostPreview'>>(transport, { method: 'POST', path })).data;
    },
    preview: (id) => streamOf(transport, { method: 'GET', path: dashboardPathOf(id, 'preview') }),
    waitFor: (id, options) => waitFor(read, pause, id, options ?? {}),
  };
}

async function found(
  transport: Transport,
  path: string,
  filter: NonNullable<Call['query']>,
  { cursor, limit, signal }: PageOptions,
): Promise<PostPage> {
  const query = { ...filter, cursor, limit };
  const { data, next } = await jsonOf<BodyOf<'searchPosts'>>(transport, { method: 'GET', path, query, signal });
  return { data, next };
}

async function create(transport: Transport, pause: Pause, post: NewPost): Promise<CreatedPost> {
  const key = post.idempotencyKey ?? crypto.getRandomValues(new Uint32Array(4)).join('-');
  const headers = { 'idempotency-key': key };
  const { success: _, ...created } = await submit<BodyOf<'createPost'>>(transport, pause, post, '/post', headers);
  return created;
}

/** Sends the form of a post. Retries if the response is lost or the service is briefly unavailable. */
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
    const response = await jsonOf<Body>(transport, {
      method: 'POST',
      path,
      headers: { 'content-type': form.contentType, ...headers, ...length },
      body,
      signal: post.signal,
    });
    if (video !== null) post.onProgress?.({ sent: total, total });
    return response;
  };
  let body = await form.body(watch);
  const retries = createRetries(pause, { mayPass, maxDelayMs: MAX_PAUSE_MS }, post);
  for (;;)
    try {
      return await attempt(body);
    } catch (error) {
      if (broken !== undefined) throw broken;
      await retries.after(error);
      // A stream that can be read only once cannot be sent again: then throw the first error.
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
  for (const name of ['previewTime', 'fit', 'cropPosition', 'trimStart', 'trimEnd'] as const)
    if (post[name] !== undefined) fields.push([name, String(post[name])]);
  if (post.options !== undefined) fields.push(['options', JSON.stringify(post.options)]);
  return fields;
}

async function waitFor(
  read: (id: string, signal?: AbortSignal) => Promise<Post>,
  pause: Pause,
  id: string,
  { timeoutMs = Number.POSITIVE_INFINITY, onUpdate, signal }: WaitOptions,
): Promise<Post> {
  // Counts pauses instead of elapsed time, because time passes while a computer sleeps.
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
      next = Math.max(next, Math.min(ahead, MAX_PAUSE_MS));
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

/** Polls often at first, when most posts finish; later rarely enough for the rate limit. */
function pauseAfter(waited: number): number {
  return waited < 20_000 ? 1_000 : waited < 120_000 ? 3_000 : 10_000;
}

const dashboardPathOf = (id: string, what: string) => `/dashboard/posts/${encodeURIComponent(id)}/${what}`;

function pathOf(id: string): string {
  return `/post/${encodeURIComponent(id)}`;
}

function optional(time: Date | number | undefined): number | undefined {
  return time === undefined ? undefined : milliseconds(time);
}

function milliseconds(time: Date | number): number {
  return typeof time === 'number' ? time : time.getTime();
}
