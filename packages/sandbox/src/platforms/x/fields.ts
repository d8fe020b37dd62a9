/** The `…fields` and `expansions` parameters, and the posts, media and users that they select ("Fields"). */
import { Readable } from 'node:stream';
import type { Blobs, SimulatorOptions } from '../../contract.ts';
import type { Handler } from '../../http/routes.ts';
import type { JsonObject } from '../../json.ts';
import { SECOND } from '../../time.ts';
import { listOf } from './query.ts';
import type { Account, Medium, Post, XSwitches } from './records.ts';
import { shownText } from './shown-text.ts';

const METRICS = ['non_public_metrics', 'organic_metrics', 'promoted_metrics', 'public_metrics'];
const SHARED_POST_FIELDS = [
  ...['article', 'attachments', 'card_uri', 'community_id', 'context_annotations', 'conversation_id', 'created_at'],
  ...['display_text_range', 'edit_controls', 'entities', 'geo', 'id', 'lang', 'media_metadata', 'paid_partnership'],
  ...['possibly_sensitive', 'reply_settings', 'scopes', 'source', 'text', 'withheld', ...METRICS],
];
const SHARED_EXPANSIONS = [
  ...['article.cover_media', 'article.media_entities', 'attachments.media_keys', 'attachments.media_source_tweet'],
  ...['attachments.poll_ids', 'author_id', 'entities.mentions.username', 'geo.place_id', 'in_reply_to_user_id'],
];

/**
 * X renames "tweet" to "post". The OpenAPI document and X's SDK have the new names of parameters and fields; the page
 * "Fields" and most applications have the old ones.
 */
const VOCABULARIES = {
  'post.fields': {
    fields: [...SHARED_POST_FIELDS, 'article_title', 'note_post'],
    expansions: [...SHARED_EXPANSIONS, 'edit_history_post_ids', 'referenced_posts'],
    history: 'edit_history_post_ids',
    note: 'note_post',
    reposts: 'repost_count',
  },
  'tweet.fields': {
    fields: [
      ...SHARED_POST_FIELDS,
      ...['author_id', 'edit_history_tweet_ids', 'in_reply_to_user_id', 'note_tweet', 'referenced_tweets'],
    ],
    expansions: [
      ...SHARED_EXPANSIONS,
      'edit_history_tweet_ids',
      'referenced_tweets.id',
      'referenced_tweets.id.author_id',
    ],
    history: 'edit_history_tweet_ids',
    note: 'note_tweet',
    reposts: 'retweet_count',
  },
} as const;
export type FieldNames = keyof typeof VOCABULARIES;

const MEDIA_FIELDS = [
  ...['alt_text', 'duration_ms', 'height', 'media_key', 'preview_image_url', 'type', 'url', 'variants', 'width'],
  ...METRICS,
];
export const USER_FIELDS: readonly string[] = [
  ...['affiliation', 'connection_status', 'created_at', 'description', 'entities', 'id', 'is_identity_verified'],
  ...['location', 'most_recent_post_id', 'most_recent_tweet_id', 'name', 'parody', 'pinned_post_id', 'pinned_tweet_id'],
  ...['profile_banner_url', 'profile_image_url', 'protected', 'public_metrics', 'receives_your_dm', 'subscription'],
  ...['subscription_type', 'url', 'username', 'verified', 'verified_followers_count', 'verified_type', 'withheld'],
];

/** The parameters of posts. @param only the names that this deployment knows; absent: both */
export function fieldParameters(only: FieldNames | undefined): string[] {
  const posts = only ? [only] : Object.keys(VOCABULARIES);
  return [...posts, 'expansions', 'media.fields', 'user.fields', 'poll.fields', 'place.fields'];
}

export interface Presented {
  data: JsonObject[];
  includes?: JsonObject;
}

/** Returns a function that renders posts with the requested fields only. @throws Refused */
export function presenter(options: SimulatorOptions, query: URLSearchParams, switches: XSwitches) {
  const names: FieldNames = query.has('post.fields') ? 'post.fields' : 'tweet.fields';
  const { fields: known, history, note, reposts } = VOCABULARIES[names];
  const fields = listOf(query, names, known);
  const expansions = listOf(
    query,
    'expansions',
    Object.values(VOCABULARIES).flatMap((each) => each.expansions),
  );
  const mediaFields = ['media_key', 'type', ...listOf(query, 'media.fields', MEDIA_FIELDS)];
  const userFields = listOf(query, 'user.fields', USER_FIELDS);

  const asPost = (post: Post, username: string, media: readonly Medium[]): JsonObject => {
    const { text, entities, long } = shownText(post, username, media);
    const optional: JsonObject = {
      author_id: post.accountId,
      conversation_id: post.id,
      created_at: new Date(post.createdAt).toISOString(),
      lang: 'und',
      possibly_sensitive: false,
      public_metrics: { [reposts]: 0, reply_count: 0, like_count: 0, quote_count: 0, bookmark_count: 0 },
      reply_settings: 'everyone',
      ...(media.length > 0 ? { attachments: { media_keys: media.map(({ key }) => key) } } : {}),
      ...(entities ? { entities } : {}),
      ...(long ? { [note]: { ...long } } : {}),
    };
    const wanted = expansions.includes('author_id') ? [...fields, 'author_id'] : fields;
    const versions = [...(post.edits ?? []).map(({ id }) => id), post.id];
    return { id: post.id, text, [history]: versions, ...pick(optional, wanted) };
  };

  return async (posts: readonly Post[]): Promise<Presented> => {
    const data: JsonObject[] = [];
    const included: JsonObject[] = [];
    const users = new Map<string, JsonObject>();
    for (const post of posts) {
      const found = await Promise.all(post.mediaIds.map((id) => options.store.get<Medium>('media', id)));
      const media = found.filter((medium) => medium !== undefined);
      const author = await options.store.get<Account>('account', post.accountId);
      data.push(asPost(post, author?.username ?? '', media));
      included.push(...media.map((medium) => pick(mediumFields(options, medium, switches), mediaFields)));
      if (author) users.set(author.id, presentUser(options, author, userFields));
    }
    const includes = {
      ...(expansions.includes('attachments.media_keys') && included.length > 0 ? { media: included } : {}),
      ...(expansions.includes('author_id') && users.size > 0 ? { users: [...users.values()] } : {}),
    };
    return { data, ...(Object.keys(includes).length > 0 ? { includes } : {}) };
  };
}

/** A user with the requested fields. */
export function presentUser({ baseUrl }: SimulatorOptions, account: Account, fields: readonly string[]): JsonObject {
  const { id, name, username, subscription } = account;
  const optional: JsonObject = {
    created_at: '2020-01-01T00:00:00.000Z',
    description: '',
    profile_image_url: `${baseUrl}/profile_images/${id}.png`,
    protected: account.protected === true,
    public_metrics: { followers_count: 0, following_count: 0, tweet_count: 0, listed_count: 0, like_count: 0 },
    subscription_type: subscription,
    url: '',
    verified: subscription !== 'None',
    verified_type: subscription === 'None' ? 'none' : 'blue',
  };
  return { id, name, username, ...pick(optional, fields) };
}

function mediumFields(
  { baseUrl, now }: SimulatorOptions,
  { id, key, category, shape }: Medium,
  { videoUrlSeconds }: XSwitches,
): JsonObject {
  const isVideo = category.endsWith('_video');
  const ends = videoUrlSeconds === undefined ? '' : `?ends=${now() + videoUrlSeconds * SECOND}`;
  const url = `${baseUrl}/videos/${id}`;
  // X transcodes every video to MP4, in several sizes.
  const mp4 = { content_type: 'video/mp4' };
  const variants = [
    { bit_rate: 2_176_000, ...mp4, url: `${url}${ends}` },
    { content_type: 'application/x-mpegURL', url: `${url}/playlist.m3u8` },
    { bit_rate: 632_000, ...mp4, url: `${url}/small${ends}` },
  ];
  const facts: JsonObject = shape
    ? { duration_ms: shape.durationMs, width: shape.width, height: shape.height, preview_image_url: `${url}.jpg` }
    : {};
  return {
    media_key: key,
    type: isVideo ? 'video' : 'photo',
    public_metrics: isVideo ? { view_count: 0 } : {},
    ...(isVideo ? { variants, ...facts } : { url }),
  };
}

function pick(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

/** Serves the bytes of a medium, which X does without authentication. The small variant has half of them. */
export const videoFile: Handler = async ({ store, blobs, now }, { params, query }) => {
  const medium = await store.get<Medium>('media', params.id ?? '');
  if (!medium?.blobs) return { status: 404 };
  if (query.has('ends') && Number(query.get('ends')) <= now()) return { status: 403 };
  const length = params.size === 'small' ? Math.ceil(medium.totalBytes / 2) : medium.totalBytes;
  const headers = { 'content-type': medium.type, 'content-length': String(length) };
  return { status: 200, headers, body: Readable.from(bytesOf(blobs, medium.blobs, length), { objectMode: false }) };
};

async function* bytesOf(blobs: Blobs, keys: readonly string[], length: number): AsyncGenerator<Buffer> {
  let left = length;
  for (const key of keys)
    for await (const chunk of await blobs.get(key)) {
      const part = Buffer.from(chunk as Uint8Array).subarray(0, left);
      left -= part.length;
      if (part.length > 0) yield part;
    }
}
