/** The fields of a video and the three phases of its status. */

import type { SimulatorOptions } from '../../contract.ts';
import { graphTime } from '../../graph/answers.ts';
import { pickFields } from '../../graph/parameters.ts';
import type { JsonObject } from '../../json.ts';
import { totalBytes } from '../../store/chunks.ts';
import { DAY_MS } from '../../time.ts';
import { announce } from './announce.ts';
import { refuseField } from './answers.ts';
import { type Switches, switchesOf, type Video } from './records.ts';

/** The requested fields; fields without a value are omitted. @throws Refused for an unknown field */
export async function videoFields(
  options: SimulatorOptions,
  video: Video,
  fields: readonly string[],
): Promise<JsonObject> {
  await announce(options, video);
  const switches = await switchesOf(options);
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
  };
  return pickFields(all, fields, (field) => refuseField(field, 'Video'));
}

export function isPublished(video: Video, now: number, switches: Switches): boolean {
  return video.state === 'PUBLISHED' && video.failure === null && isProcessed(video, now, switches);
}

function isProcessed(video: Video, now: number, switches: Switches): boolean {
  const since = processedSince(video, switches);
  return since !== null && now - since >= video.processingMs;
}

function processedSince(video: Video, { processAfterFinish }: Switches): number | null {
  return processAfterFinish ? video.finishedAt : video.uploadedAt;
}

function phasesOf(video: Video, now: number, switches: Switches): JsonObject {
  const received = totalBytes(video.parts);
  const expired = video.finishedAt === null && now - video.createdAt >= DAY_MS;
  const since = processedSince(video, switches);
  const processed = isProcessed(video, now, switches);
  const failed = processed && video.failure !== null;
  const published = isPublished(video, now, switches);
  const waiting = switches.processAfterFinish ? 'not_started' : 'in_progress';
  return {
    video_status: expired ? 'expired' : failed ? 'error' : published ? 'ready' : statusBefore(video, since),
    uploading_phase: {
      status: video.uploadedAt !== null ? 'complete' : video.size === null ? 'not_started' : 'in_progress',
      bytes_transfered: received,
    },
    processing_phase: {
      status: failed ? 'error' : processed ? 'complete' : since === null ? 'not_started' : 'in_progress',
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

/** The status of a video that is neither published nor failed. */
function statusBefore({ uploadedAt }: Video, processedSince: number | null): string {
  if (uploadedAt === null) return 'uploading';
  return processedSince === null ? 'upload_complete' : 'processing';
}
