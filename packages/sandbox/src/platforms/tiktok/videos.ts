/** The Display API: lists an account's public videos, newest first. */
import type { SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { page, textPage } from '../../http/pages.ts';
import { jsonObject } from '../../http/parameters.ts';
import type { Handler } from '../../http/routes.ts';
import { at, type Json, type JsonObject } from '../../json.ts';
import { ownedBy } from '../../store/records.ts';
import { asCaller } from './caller.ts';
import { avatarUrl, type Video } from './records.ts';
import { ok, refuse } from './responses.ts';

const SHOWN_CHARACTERS = 150;
const MAX_COUNT = 20;

/** How a video's fields are rendered. */
const FIELDS: Readonly<Record<string, (video: Video, options: SimulatorOptions) => Json>> = {
  id: ({ postId }) => postId,
  create_time: ({ createdAt }) => Math.floor(createdAt / 1000),
  title: shownTitle,
  video_description: shownTitle,
  duration: ({ durationMs }) => Math.round(durationMs / 1000),
  height: ({ height }) => height,
  width: ({ width }) => width,
  cover_image_url: ({ openId }, options) => avatarUrl(options, openId),
  share_url: (video, options) =>
    `${shareUrl(options, video)}?utm_campaign=tt4d_open_api&utm_source=${encodeURIComponent(options.app.clientId)}`,
  embed_link: (video, options) => shareUrl(options, video),
  embed_html: () => '',
  like_count: () => 0,
  comment_count: () => 0,
  share_count: () => 0,
  view_count: () => 0,
  is_aigc: ({ byMachine = false }) => byMachine,
};

function shownTitle({ title }: Video): string {
  return [...title].slice(0, SHOWN_CHARACTERS).join('');
}

export const listVideos = asCaller('other', ['video.list'], async (options, request, { account }) => {
  const fields = fieldsOf(request);
  const body = await jsonObject(request);
  const count = at(body, 'max_count') ?? 10;
  const cursor = at(body, 'cursor') ?? Number.POSITIVE_INFINITY;
  const wellAsked = Number.isInteger(count) && Number(count) >= 1 && Number(count) <= MAX_COUNT;
  if (!fields || !body || !wellAsked || typeof cursor !== 'number')
    return refuse(options, 'invalid_params', 'fields, max_count or cursor is missing or wrong.');
  const found = (await publicVideos(options, account.openId)).filter((video) => video.createdAt < cursor);
  const videos = found.slice(0, Number(count));
  return ok(options, {
    videos: videos.map((video) => pick(options, video, fields)),
    cursor: videos.at(-1)?.createdAt ?? (Number.isFinite(cursor) ? cursor : options.now()),
    has_more: found.length > videos.length,
  });
});

export const queryVideos = asCaller('other', ['video.list'], async (options, request, { account }) => {
  const fields = fieldsOf(request);
  const ids = at(await jsonObject(request), 'filters', 'video_ids');
  const wellAsked = Array.isArray(ids) && ids.length <= MAX_COUNT && ids.every((id) => typeof id === 'string');
  if (!fields || !wellAsked) return refuse(options, 'invalid_params', 'fields or video_ids is missing or wrong.');
  const found = (await publicVideos(options, account.openId)).filter((video) => ids.includes(video.postId));
  return ok(options, { videos: found.map((video) => pick(options, video, fields)) });
});

async function publicVideos(options: SimulatorOptions, openId: string): Promise<Video[]> {
  const all = await ownedBy<Video>(options, 'video', openId);
  return all.filter((video) => isPublic(options, video)).sort((a, b) => b.createdAt - a.createdAt);
}

function isPublic({ now }: SimulatorOptions, { privacy, visibleAt }: Video): boolean {
  return privacy === 'PUBLIC_TO_EVERYONE' && visibleAt <= now();
}

/** The requested fields; null if no field is requested or one is unknown. */
function fieldsOf(request: SimulatorRequest): string[] | null {
  const fields = request.query.get('fields')?.split(',') ?? [];
  return fields.length > 0 && fields.every((field) => Object.hasOwn(FIELDS, field)) ? fields : null;
}

function pick(options: SimulatorOptions, video: Video, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.map((field) => [field, FIELDS[field]?.(video, options) ?? null]));
}

/** The public page of a video; 404 if the video is not public. */
export const videoPage: Handler = async (options, { params }) => {
  const video = await options.store.get<Video>('video', params.id ?? '');
  const fits = video && params.handle === `@${video.username}`;
  if (!fits || !isPublic(options, video)) return page('This video is not available', '', 404);
  return textPage(`@${video.username}`, video.title);
};

export function shareUrl({ baseUrl }: SimulatorOptions, { username, postId }: Video): string {
  return `${baseUrl}/@${encodeURIComponent(username)}/video/${postId}`;
}
