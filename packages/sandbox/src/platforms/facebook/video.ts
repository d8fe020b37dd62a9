/** The fields of a video, the three phases of its status, and its publication. */
import type { SimulatorOptions } from '../../contract.ts';
import { fileUrl } from '../../graph/files.ts';
import { pickFields } from '../../graph/parameters.ts';
import { graphTime } from '../../graph/responses.ts';
import type { StoredFile } from '../../http/files.ts';
import type { JsonObject } from '../../json.ts';
import { totalBytes } from '../../store/chunks.ts';
import { publishVideo, update } from '../../store/records.ts';
import { DAY } from '../../time.ts';
import { type Page, type Switches, switchesOf, type Video } from './records.ts';
import { refuseField } from './responses.ts';

/**
 * The requested fields; fields without a value are omitted.
 * @param inList the video is an entry of a list @throws Refused for an unknown field
 */
export async function videoFields(
  options: SimulatorOptions,
  video: Video,
  fields: readonly string[],
  inList = false,
): Promise<JsonObject> {
  await announce(options, video);
  const switches = await switchesOf(options);
  const isGiven =
    !video.flagged && isProcessed(video, options.now(), switches) && !(inList && switches.noSourceInLists);
  const time = graphTime(video.finishedAt ?? video.createdAt);
  const all = {
    id: video.id,
    status: phasesOf(video, options.now(), switches),
    published: isPublished(video, options.now(), switches),
    permalink_url: `/reel/${video.id}/`,
    created_time: time,
    updated_time: time,
    description: video.description || undefined,
    title: video.title || undefined,
    length: video.lengthSeconds ?? undefined,
    source: isGiven ? fileUrl(options, video.id, switches.fileLifeMs) : undefined,
    picture: `${options.baseUrl}/picture/${video.pageId}.png`,
    privacy: video.phone?.limited
      ? { value: 'CUSTOM', description: 'Custom', allow: '', deny: '', friends: '', networks: '' }
      : { value: 'EVERYONE', description: 'Public', allow: '', deny: '', friends: '', networks: '' },
  };
  return pickFields(all, fields, (field) => refuseField(field, 'Video'));
}

export function isPublished(video: Video, now: number, switches: Switches): boolean {
  return video.state === 'PUBLISHED' && video.failure === null && isProcessed(video, now, switches);
}

/** The file of a published video. */
export async function fileOf({ store }: SimulatorOptions, id: string): Promise<StoredFile | undefined> {
  const video = await store.get<Video>('video', id);
  return video?.announced ? { blobs: video.parts.map(({ blob }) => blob), mime: video.mime ?? 'video/mp4' } : undefined;
}

function isProcessed(video: Video, now: number, switches: Switches): boolean {
  const since = processedSince(video, switches);
  return since !== null && now - since >= video.processingMs;
}

function processedSince(video: Video, { processAfterFinish, settleMs = 0 }: Switches): number | null {
  if (processAfterFinish) return video.finishedAt;
  return video.uploadedAt === null ? null : video.uploadedAt + settleMs;
}

function phasesOf(video: Video, now: number, switches: Switches): JsonObject {
  const received = totalBytes(video.parts);
  const expired = video.finishedAt === null && now - video.createdAt >= DAY;
  const since = processedSince(video, switches);
  const processed = isProcessed(video, now, switches);
  // Live responses say "processing" before the phase has begun.
  const begun = since !== null && now - since >= (switches.processAfterFinish ? video.processingMs / 2 : 0);
  const settled = isSettled(video, now, switches);
  const failed = processed && video.failure !== null;
  const published = isPublished(video, now, switches);
  const waiting = switches.processAfterFinish ? 'not_started' : 'in_progress';
  return {
    video_status: expired
      ? 'expired'
      : failed
        ? 'error'
        : processed
          ? 'ready'
          : settled
            ? statusOf(since)
            : 'uploading',
    uploading_phase: {
      status: settled ? 'complete' : video.size === null ? 'not_started' : 'in_progress',
      // The documentation spells it with one r, live responses with two.
      bytes_transferred: received,
    },
    processing_phase: {
      status: failed ? 'error' : processed ? 'complete' : begun ? 'in_progress' : 'not_started',
      ...(failed && video.failure ? { error: { ...video.failure } } : {}),
    },
    publishing_phase: {
      status: published ? 'complete' : video.state === 'PUBLISHED' && !failed ? waiting : 'not_started',
      ...(published && video.finishedAt !== null
        ? { publish_status: 'published', publish_time: Math.floor(video.finishedAt / 1000) }
        : {}),
    },
  };
}

/** Whether the upload is complete, so that it can be finished. */
export function isSettled({ uploadedAt }: Video, now: number, { settleMs = 0 }: Switches): boolean {
  return uploadedAt !== null && now - uploadedAt >= settleMs;
}

/** The status of an uploaded video that is neither published nor failed. */
function statusOf(processedSince: number | null): string {
  return processedSince === null ? 'upload_complete' : 'processing';
}

/**
 * Publishes a finished reel. Idempotent.
 *
 * The process may crash after the finish is recorded and before this runs. The next reader of the video then runs it.
 */
export async function announce(options: SimulatorOptions, video: Video): Promise<void> {
  if (video.finishedAt === null || video.state !== 'PUBLISHED' || video.announced) return;
  if (video.failure === null) await publishReel(options, video, video.id);
  await update<Video>(options.store, ['video', video.id], { announced: true });
}

/** @param act idempotency key of this publish */
export async function publishReel(options: SimulatorOptions, video: Video, act: string): Promise<void> {
  const page = await options.store.get<Page>('page', video.pageId);
  const entry = {
    id: video.id,
    username: page?.username ?? '',
    text: video.description,
    url: `${options.baseUrl}/reel/${video.id}/`,
    publishedAt: video.finishedAt ?? options.now(),
    blobs: video.parts.map(({ blob }) => blob),
    mime: video.mime ?? 'video/mp4',
  };
  await publishVideo(options, entry, act, video.size);
}
