/** Serves videos by id and as the uploads playlist of a channel, and their public pages. */
import type { SimulatorOptions } from '../../contract.ts';
import { page, textPage } from '../../http/pages.ts';
import type { Handler } from '../../http/routes.ts';
import type { Json, JsonObject } from '../../json.ts';
import { ownedBy, update } from '../../store/records.ts';
import { asCaller } from './caller.ts';
import { type Account, appSettings, MAY_MANAGE, MAY_READ, uploadsOf, type Video } from './records.ts';
import { badRequest, listResponse, onlyParameters, partsOf, refuse, resource, valuesOf } from './responses.ts';

/** All parts of the resource (discovery document). The simulator has content for some of them. */
export const VIDEO_PARTS = [
  ...['id', 'snippet', 'status', 'contentDetails', 'processingDetails', 'fileDetails', 'statistics', 'player'],
  ...['suggestions', 'topicDetails', 'recordingDetails', 'liveStreamingDetails', 'localizations'],
  ...['paidProductPlacementDetails', 'brandingSettings'],
];
const OWNER_PARTS = ['processingDetails', 'fileDetails', 'suggestions'];
const ITEM_PARTS = ['id', 'snippet', 'contentDetails', 'status'];
const MAX_ITEMS = 50;
const DELETE_UNITS = 50;

/** `GET /youtube/v3/videos?id=…`: unknown videos are omitted. */
export const listVideos = asCaller('units', MAY_READ, async (options, request, { account }) => {
  onlyParameters(request, ['part', 'id', 'maxResults']);
  const parts = partsOf(request, VIDEO_PARTS);
  if (!parts) return badRequest("'part' is missing or names unknown parts.");
  const ids = valuesOf(request, 'id');
  if (ids.length === 0 || ids.length > MAX_ITEMS) return badRequest('The filter "id" needs 1 to 50 ids.');
  const found = await Promise.all(ids.map((id) => options.store.get<Video>('video', id)));
  const seen = found.filter((video): video is Video => video !== undefined && maySee(account, video));
  const foreign = seen.some((video) => video.channelId !== account.channelId);
  if (foreign && parts.some((part) => OWNER_PARTS.includes(part)))
    return refuse('forbidden', 'The request cannot access the details of this video.');
  const { namesFiles } = await appSettings(options);
  return listResponse(
    'videoListResponse',
    seen.map((video) => videoResource(options, video, parts, namesFiles)),
  );
});

/** `DELETE /youtube/v3/videos?id=…` */
export const deleteVideo = asCaller(
  'units',
  MAY_MANAGE,
  async (options, request, { account }) => {
    onlyParameters(request, ['id']);
    const video = await options.store.get<Video>('video', request.query.get('id') ?? '');
    if (!video || video.deleted)
      return refuse('videoNotFound', 'The video that you are trying to delete cannot be found.');
    if (video.channelId !== account.channelId)
      return refuse('forbidden', 'The video that you are trying to delete cannot be deleted.');
    await update<Video>(options.store, ['video', video.id], { deleted: true });
    await options.store.unpublish(video.id);
    return { status: 204 };
  },
  DELETE_UNITS,
);

/** `GET /youtube/v3/playlistItems`: a channel's uploads, newest first. The owner also sees private ones. */
export const listPlaylistItems = asCaller('units', MAY_READ, async (options, request, { account }) => {
  onlyParameters(request, ['part', 'playlistId', 'maxResults', 'pageToken']);
  const parts = partsOf(request, ITEM_PARTS);
  const count = Number(request.query.get('maxResults') ?? 5);
  if (!parts || !Number.isInteger(count) || count < 0 || count > MAX_ITEMS)
    return badRequest("'part' or 'maxResults' is missing or wrong.");
  const playlistId = request.query.get('playlistId') ?? '';
  const owner = await options.store.get<Account>('account', `UC${playlistId.slice(2)}`);
  if (!owner || playlistId !== uploadsOf(owner.channelId))
    return refuse('playlistNotFound', 'The playlist identified with the playlistId parameter cannot be found.');
  const from = pageStart(request.query.get('pageToken'));
  if (from === null) return badRequest('The request specifies an invalid page token.');
  const { listLagMs } = await appSettings(options);
  const all = (await ownedBy<Video>(options, 'video', owner.channelId))
    .filter((video) => maySee(account, video))
    .filter(({ createdAt, listedFrom = createdAt + listLagMs }) => listedFrom <= options.now())
    .sort((one, other) => other.createdAt - one.createdAt);
  const items = all.slice(from, from + count).map((video, index) => itemOf(video, from + index, parts));
  const next: JsonObject = from + count < all.length ? { nextPageToken: `P${from + count}` } : {};
  const pageInfo = { totalResults: all.length, resultsPerPage: count };
  return listResponse('playlistItemListResponse', items, { ...next, pageInfo });
});

/**
 * A video resource; it has `fileDetails` once processed. @param namesFiles whether `fileDetails` contains the file name
 */
export function videoResource(
  options: SimulatorOptions,
  video: Video,
  parts: readonly string[],
  namesFiles: boolean,
): JsonObject {
  const { title, description, tags, categoryId } = video.metadata;
  const isDone = options.now() >= video.processedAt;
  const all: Record<string, Json> = {
    snippet: {
      publishedAt: isoTime(video.createdAt),
      channelId: video.channelId,
      title,
      description,
      channelTitle: video.channelTitle,
      ...(tags.length > 0 ? { tags } : {}),
      categoryId,
      liveBroadcastContent: 'none',
      localized: { title, description },
    },
    status: statusOf(video, isDone),
    statistics: { viewCount: '0', likeCount: '0', favoriteCount: '0', commentCount: '0' },
    player: { embedHtml: `<iframe src="//www.youtube.com/embed/${video.id}"></iframe>` },
    contentDetails: {
      duration: isDone ? isoDuration(video.durationMs ?? 0) : 'P0D',
      dimension: '2d',
      definition: 'hd',
      caption: 'false',
    },
    processingDetails: {
      processingStatus: !isDone ? 'processing' : video.failureReason ? 'failed' : 'succeeded',
      ...(isDone && video.failureReason ? { processingFailureReason: 'transcodeFailed' } : {}),
      ...(isDone ? {} : { processingProgress: { partsTotal: '10', partsProcessed: '3', timeLeftMs: '2000' } }),
      fileDetailsAvailability: isDone ? 'available' : 'inProgress',
    },
    fileDetails: isDone
      ? { ...(namesFiles ? { fileName: video.fileName } : {}), fileSize: String(video.fileSize), fileType: 'video' }
      : {},
  };
  return resource('video', video.id, all, parts);
}

function statusOf(video: Video, isDone: boolean): JsonObject {
  const { privacyStatus, license, embeddable, selfDeclaredMadeForKids, containsSyntheticMedia } = video.metadata;
  const end = video.rejectionReason ? 'rejected' : video.failureReason ? 'failed' : 'processed';
  const declared: JsonObject = selfDeclaredMadeForKids === null ? {} : { selfDeclaredMadeForKids };
  const synthetic: JsonObject = containsSyntheticMedia === null ? {} : { containsSyntheticMedia };
  return {
    uploadStatus: isDone ? end : 'uploaded',
    ...(isDone && end === 'failed' ? { failureReason: video.failureReason } : {}),
    ...(isDone && end === 'rejected' ? { rejectionReason: video.rejectionReason } : {}),
    privacyStatus,
    license,
    embeddable,
    publicStatsViewable: true,
    madeForKids: selfDeclaredMadeForKids === true,
    ...declared,
    ...synthetic,
  };
}

function itemOf(video: Video, position: number, parts: readonly string[]): JsonObject {
  const { title, description, privacyStatus } = video.metadata;
  const all: Record<string, Json> = {
    snippet: {
      publishedAt: isoTime(video.createdAt),
      channelId: video.channelId,
      title,
      description,
      playlistId: uploadsOf(video.channelId),
      position,
      resourceId: { kind: 'youtube#video', videoId: video.id },
      videoOwnerChannelId: video.channelId,
    },
    contentDetails: { videoId: video.id, videoPublishedAt: isoTime(video.createdAt) },
    status: { privacyStatus },
  };
  return resource('playlistItem', `VVV${video.id}`, all, parts);
}

function maySee(account: Account, video: Video): boolean {
  if (video.deleted) return false;
  return video.channelId === account.channelId || video.metadata.privacyStatus === 'public';
}

function pageStart(token: string | null): number | null {
  if (token === null) return 0;
  const from = /^P(\d+)$/.exec(token)?.[1];
  return from === undefined ? null : Number(from);
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** In whole seconds. */
function isoDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const text = parts.map((count, index) => (count > 0 ? `${count}${'HMS'[index]}` : '')).join('');
  return text === '' ? 'P0D' : `PT${text}`;
}

/** The page of a public or unlisted video; 404 if it is private. */
export const videoPage: Handler = async ({ store }, { params, query }) => {
  const video = await store.get<Video>('video', params.id ?? query.get('v') ?? '');
  const gone = !video || video.deleted || video.rejectionReason !== null || video.failureReason !== null;
  if (gone || video.metadata.privacyStatus === 'private') return page('Video unavailable', '', 404);
  const { title, description } = video.metadata;
  return textPage(title, description);
};
