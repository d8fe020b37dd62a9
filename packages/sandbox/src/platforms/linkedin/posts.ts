/** The Posts API: create a post, list the posts of a page. A member's posts cannot be read. */
import type { SimulatorOptions } from '../../contract.ts';
import { injectRequestedFault } from '../../faults/requested.ts';
import { page, textPage } from '../../http/pages.ts';
import type { Handler } from '../../http/routes.ts';
import { at, type JsonObject } from '../../json.ts';
import { Refused } from '../../refused.ts';
import { ownedBy, publishVideo, update } from '../../store/records.ts';
import { SECOND } from '../../time.ts';
import { type Caller, type CallerHandler, need, throttled } from './caller.ts';
import { readLittleText } from './little-text.ts';
import { paged } from './profile.ts';
import {
  mayPostAs,
  newPostNumber,
  type Organization,
  type Person,
  type Post,
  settingsOf,
  type Video,
} from './records.ts';
import { bodyOf, FORBIDDEN_VIDEO, failed, onlyFields, onlyParameters, refuse, revokedToken } from './responses.ts';
import { killGrant } from './tokens.ts';
import { checkAuthor, checkUrn, stateOf } from './videos.ts';

const MAX_COMMENTARY = 3_000;
/** Processing time of a slow video, from its first post request. */
const SLOW_MS = 30 * SECOND;
const FIELDS = [
  'author',
  'commentary',
  'visibility',
  'distribution',
  'content',
  'lifecycleState',
  'isReshareDisabledByAuthor',
];

/** `POST /rest/posts`: creates a post. Repeating the request creates another one. */
export const createPost: CallerHandler = async (options, request, caller) => {
  const body = await bodyOf(request);
  const { author, commentary } = checkFields(body);
  checkAuthor(caller, author, 'partnerApiPostsExternal.CREATE');
  const video = await checkVideo(options, at(body, 'content', 'media', 'id'), author);
  const seen = readLittleText(commentary);
  const fault = await injectFault(options, caller, seen, video.urn);
  const settings = await settingsOf(options);
  const now = options.now();
  if (settings.duplicates) {
    const known = await ownedBy<Post>(options, 'post', author);
    if (known.some((post) => post.commentary === commentary))
      throw refuse('DUPLICATE_POST', `Content is a duplicate of urn:li:share:${newPostNumber(options, now)}`);
  }
  const title = at(body, 'content', 'media', 'title');
  const post = await storeNew(options, {
    author,
    commentary,
    visibility: String(at(body, 'visibility')),
    video: video.urn,
    title: typeof title === 'string' ? title : null,
    createdAt: now,
    announced: false,
  });
  await announce(options, post);
  const header = settings.idHeader ?? 'x-restli-id';
  const trouble = fault === 'lost-answer' ? fault : undefined;
  return { status: 201, headers: header === 'none' ? {} : { [header]: post.urn }, trouble };
};

/** Stores a post under a number that is not taken; a millisecond has few, for all processes. */
export async function storeNew(
  options: Pick<SimulatorOptions, 'store' | 'serial'>,
  made: Omit<Post, 'urn'>,
): Promise<Post> {
  const post: Post = { urn: `urn:li:ugcPost:${newPostNumber(options, made.createdAt)}`, ...made };
  return (await options.store.insert('post', post.urn, post, post.author)) ? post : storeNew(options, made);
}

function checkFields(body: object): { author: string; commentary: string } {
  onlyFields(body, FIELDS, '');
  const text = (name: string) => {
    const value = at(body, name);
    if (value === undefined) throw refuse('MISSING_FIELD', `${name} is missing`, `/${name}`);
    if (typeof value !== 'string') throw refuse('INVALID_VALUE_FOR_FIELD', `${name} must be text`, `/${name}`);
    return value;
  };
  const [author, commentary, visibility] = [text('author'), text('commentary'), text('visibility')];
  if (author === '') throw refuse('INVALID_VALUE_BLANK_FIELD', 'author is blank', '/author');
  if (text('lifecycleState') !== 'PUBLISHED')
    throw refuse('INVALID_VALUE_FOR_FIELD', 'lifecycleState must be PUBLISHED', '/lifecycleState');
  const visibilities = author.includes(':organization:')
    ? ['PUBLIC', 'LOGGED_IN']
    : ['PUBLIC', 'CONNECTIONS', 'LOGGED_IN'];
  if (!visibilities.includes(visibility)) throw refuse('INVALID_VALUE_FOR_FIELD', 'No such visibility', '/visibility');
  checkDistribution(at(body, 'distribution'));
  if (!['boolean', 'undefined'].includes(typeof at(body, 'isReshareDisabledByAuthor')))
    throw refuse('INVALID_VALUE_FOR_FIELD', 'It must be true or false', '/isReshareDisabledByAuthor');
  if (commentary.length > MAX_COMMENTARY)
    throw refuse('FIELD_LENGTH_TOO_LONG', 'commentary has more than 3000 characters', '/commentary');
  return { author, commentary };
}

function checkDistribution(distribution: unknown): void {
  if (distribution === undefined) throw refuse('MISSING_FIELD', 'distribution is missing', '/distribution');
  onlyFields(distribution, ['feedDistribution', 'targetEntities', 'thirdPartyDistributionChannels'], '/distribution');
  if (at(distribution, 'feedDistribution') !== 'MAIN_FEED')
    throw refuse('INVALID_VALUE_FOR_FIELD', 'No such distribution', '/distribution/feedDistribution');
}

async function checkVideo(options: SimulatorOptions, id: unknown, author: string): Promise<Video> {
  if (typeof id !== 'string') throw refuse('MISSING_FIELD', 'The media is missing', '/content/media/id');
  const video = await options.store.get<Video>('video', checkUrn(id));
  if (!video) throw refuse('INVALID_VIDEO_ID', 'There is no such video', '/content/media/id');
  if (video.owner !== author) throw new Refused(FORBIDDEN_VIDEO);
  const { status } = stateOf(options, video, await settingsOf(options));
  if (status === 'PROCESSING_FAILED') throw processingFailed();
  if (status !== 'AVAILABLE') throw waitingForUpload();
  return video;
}

/**
 * Publishes a post. A crash may leave a record that is not published; the next read then publishes it. Publishing twice
 * has no effect.
 */
export async function announce(options: SimulatorOptions, post: Post): Promise<void> {
  if (post.announced) return;
  const video = await options.store.get<Video>('video', post.video);
  const entry = {
    id: post.urn,
    username: await nameOf(options, post.author),
    text: readLittleText(post.commentary),
    url: `${options.baseUrl}/feed/update/${post.urn}/`,
    publishedAt: post.createdAt,
    blobs: video?.blobs ?? [],
    mime: 'video/mp4',
  };
  await publishVideo(options, entry, `${post.urn} ${changedAt(post)}`, video?.size ?? null);
  await update<Post>(options.store, ['post', post.urn], { announced: true });
}

async function nameOf({ store }: SimulatorOptions, author: string): Promise<string> {
  const id = author.split(':').at(-1) ?? '';
  const page = await store.get<Organization>('organization', id);
  return page?.vanityName ?? (await store.get<Person>('person', id))?.username ?? '';
}

const changedAt = ({ createdAt, editedAt = createdAt }: Post) => editedAt;

/** `GET /rest/posts?q=author`: lists the posts of a page, those changed last first unless `sortBy` is `CREATED`. */
export const listPosts: CallerHandler = async (options, request, caller) => {
  const { query } = request;
  if (query.get('q') !== 'author' || request.headers['x-restli-method']?.toUpperCase() !== 'FINDER')
    throw refuse('QUERY_PARAM_NOT_ALLOWED', 'There is no such finder.');
  onlyParameters(query, ['q', 'author', 'count', 'start', 'sortBy']);
  if (!['CREATED', 'LAST_MODIFIED', null].includes(query.get('sortBy')))
    throw refuse('INVALID_VALUE_FOR_FIELD', 'No such order.');
  const author = query.get('author') ?? '';
  checkReader(caller, author, 'FINDER-author');
  const { listLagMs = 0 } = await settingsOf(options);
  const all = await ownedBy<Post>(options, 'post', author);
  const rank = query.get('sortBy') === 'CREATED' ? (post: Post) => post.createdAt : changedAt;
  const posts = all
    .filter(({ createdAt, visibleAt = createdAt + listLagMs }) => visibleAt <= options.now())
    .sort((a, b) => rank(b) - rank(a));
  const { shown, paging } = paged(request, posts);
  for (const post of shown) await announce(options, post);
  return { status: 200, body: { paging, elements: shown.map(describe) } };
};

/** `GET /rest/posts/{urn}`. */
export const showPost: CallerHandler = async (options, request, caller) => {
  const post = await options.store.get<Post>('post', request.params.urn ?? '');
  checkReader(caller, post?.author ?? 'urn:li:person:nobody', 'GET');
  if (!post) throw refuse('NOT_FOUND', 'Could not find entity');
  await announce(options, post);
  return { status: 200, body: describe(post) };
};

/** `DELETE /rest/posts/{urn}`: a post that is gone counts as deleted. */
export const deletePost: CallerHandler = async (options, request, caller) => {
  const post = await options.store.get<Post>('post', request.params.urn ?? '');
  if (post) {
    checkAuthor(caller, post.author, 'partnerApiPostsExternal.DELETE');
    await removePost(options, post.urn);
  }
  return { status: 204 };
};

export async function removePost({ store }: SimulatorOptions, urn: string): Promise<void> {
  await store.unpublish(urn);
  await store.remove('post', urn);
}

function checkReader(caller: Caller, author: string, method: string): void {
  const what = `partnerApiPostsExternal.${method}`;
  // Reading a member's posts requires a scope that is not granted.
  if (!author.startsWith('urn:li:organization:')) need(caller, ['r_member_social'], what);
  need(caller, ['r_organization_social'], what);
  if (!mayPostAs(caller.person, author)) throw refuse('ACCESS_DENIED', `Not enough permissions to access: ${what}`);
}

function describe(post: Post): JsonObject {
  return {
    id: post.urn,
    author: post.author,
    commentary: post.commentary,
    content: { media: { id: post.video, ...(post.title === null ? {} : { title: post.title }) } },
    createdAt: post.createdAt,
    publishedAt: post.createdAt,
    lastModifiedAt: changedAt(post),
    lifecycleState: 'PUBLISHED',
    visibility: post.visibility,
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    isReshareDisabledByAuthor: false,
    ...post.more,
  };
}

/** Returns the public page of a post. */
export const postPage: Handler = async (options, { params }) => {
  const post = await options.store.get<Post>('post', params.urn ?? '');
  if (post?.visibility !== 'PUBLIC') return page('This post cannot be displayed', '', 404);
  await announce(options, post);
  return textPage(await nameOf(options, post.author), readLittleText(post.commentary));
};

const processingFailed = () => refuse('MEDIA_ASSET_PROCESSING_FAILED', 'The media asset failed to process');
const waitingForUpload = () => refuse('MEDIA_ASSET_WAITING_UPLOAD', 'The media asset is waiting for upload');

/** @param video identifies the publish @throws Refused */
async function injectFault({ store, now }: SimulatorOptions, caller: Caller, text: string, video: string) {
  const requester = { caption: text, publish: video, account: caller.person.id };
  const fault = await injectRequestedFault(store, requester, {
    async reconnect() {
      await killGrant({ store }, caller.grantId);
      return revokedToken().response;
    },
    reject: () => processingFailed().response,
    rateLimited: throttled('burst').response,
    down: failed(503),
  });
  if (fault === 'slow') {
    const since = await store.change<number>('slow', video, (begun) => begun ?? now());
    if (now() < (since ?? 0) + SLOW_MS) throw waitingForUpload();
  }
  return fault;
}
