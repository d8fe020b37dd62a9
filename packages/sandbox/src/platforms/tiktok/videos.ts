/** The Display API: lists an account's public videos, newest first. */

import type { SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { page, textPage } from '../../http/pages.ts';
import { jsonObject } from '../../http/parameters.ts';
import type { Handler } from '../../http/routes.ts';
import { at, type Json, type JsonObject } from '../../json.ts';
import { ownedBy } from '../../store/records.ts';
import { ok, refuse } from './answers.ts';
import { asCaller } from './caller.ts';
import { avatarUrl, type Video } from './records.ts';

const FIELDS = [
  'id',
  'create_time',
  'title',
  'video_description',
  'duration',
  'height',
  'width',
  'cover_image_url',
  'share_url',
  'embed_link',
  'embed_html',
  'like_count',
  'comment_count',
  'share_count',
  'view_count',
  'is_aigc',
] as const;
const SHOWN_CHARACTERS = 150;
const MAX_COUNT = 20;

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
    videos: videos.map((video) => pick(describe(options, video), fields)),
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
  return ok(options, { videos: found.map((video) => pick(describe(options, video), fields)) });
});

async function publicVideos(options: SimulatorOptions, openId: string): Promise<Video[]> {
  const all = await ownedBy<Video>(options, 'video', openId);
  return all.filter((video) => isPublic(options, video)).sort((a, b) => b.createdAt - a.createdAt);
}

function isPublic({ now }: SimulatorOptions, { privacy, visibleAt }: Video): boolean {
  return privacy === 'PUBLIC_TO_EVERYONE' && visibleAt <= now();
}

function describe(options: SimulatorOptions, video: Video): Record<(typeof FIELDS)[number], Json> {
  const shown = [...video.title].slice(0, SHOWN_CHARACTERS).join('');
  const share = shareUrl(options, video);
  return {
    id: video.postId,
    create_time: Math.floor(video.createdAt / 1000),
    title: shown,
    video_description: shown,
    duration: Math.round(video.durationMs / 1000),
    height: video.height,
    width: video.width,
    cover_image_url: avatarUrl(options, video.openId),
    share_url: `${share}?utm_campaign=tt4d_open_api&utm_source=${encodeURIComponent(options.app.clientId)}`,
    embed_link: share,
    embed_html: '',
    like_count: 0,
    comment_count: 0,
    share_count: 0,
    view_count: 0,
    is_aigc: video.byMachine ?? false,
  };
}

type Field = (typeof FIELDS)[number];

function fieldsOf(request: SimulatorRequest): Field[] | null {
  const asked = request.query.get('fields')?.split(',') ?? [];
  const known = asked.filter((field): field is Field => FIELDS.some((one) => one === field));
  return asked.length > 0 && known.length === asked.length ? known : null;
}

function pick(all: Record<Field, Json>, fields: readonly Field[]): JsonObject {
  return Object.fromEntries(fields.map((field) => [field, all[field]]));
}

/** The public page of a video; 404 if the video is not public. */
export const videoPage: Handler = async (options, { params }) => {
  const video = await options.books.get<Video>('video', params.id ?? '');
  const fits = video && params.handle === `@${video.username}`;
  if (!fits || !isPublic(options, video)) return page('This video is not available', '', 404);
  return textPage(`@${video.username}`, video.title);
};

export function shareUrl({ baseUrl }: SimulatorOptions, { username, postId }: Video): string {
  return `${baseUrl}/@${encodeURIComponent(username)}/video/${postId}`;
}
