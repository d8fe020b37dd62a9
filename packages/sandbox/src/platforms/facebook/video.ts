/** The fields of a video and the three phases of its status. */

import type { SimulatorOptions } from '../../contract.ts';
import type { Json, JsonObject } from '../../json.ts';
import { totalBytes } from '../../store/records.ts';
import { announce } from './announce.ts';
import { refuse } from './answers.ts';
import { DAY_MS, type Switches, switchesOf, type Video } from './records.ts';

const FIELDS = [
  'id',
  'status',
  'published',
  'permalink_url',
  'created_time',
  'updated_time',
  'description',
  'title',
  'length',
] as const;

/** The requested fields; fields without a value are omitted. @throws Refused for an unknown field */
export async function videoFields(
  options: SimulatorOptions,
  video: Video,
  fields: readonly string[],
): Promise<JsonObject> {
  const unknown = fields.find((field) => !FIELDS.some((known) => known === field));
  if (unknown)
    refuse({ code: 100, message: `(#100) Tried accessing nonexisting field (${unknown}) on node type (Video)` });
  await announce(options, video);
  const phases = phasesOf(video, options.now(), await switchesOf(options));
  const all: Record<string, Json | undefined> = {
    id: video.id,
    status: phases,
    published: isPublished(video, options.now(), await switchesOf(options)),
    permalink_url: `/reel/${video.id}/`,
    created_time: graphTime(video.finishedAt ?? video.createdAt),
    updated_time: graphTime(video.finishedAt ?? video.createdAt),
    description: video.description || undefined,
    title: video.title || undefined,
    length: video.lengthSeconds ?? undefined,
  };
  const found = ['id', ...fields].map((field) => [field, all[field]] as const);
  return Object.fromEntries(found.filter((pair): pair is [string, Json] => pair[1] !== undefined));
}

/** ISO 8601 in the Graph API's format: `2026-11-21T10:00:00+0000`. */
function graphTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+0000`;
}

export function isPublished(video: Video, now: number, switches: Switches): boolean {
  return video.state === 'PUBLISHED' && video.failure === null && isProcessed(video, now, switches);
}

function isProcessed(video: Video, now: number, switches: Switches): boolean {
  const since = processedSince(video, switches);
  return since !== null && now - since >= video.processingMs;
}

function processedSince(video: Video, { processAfterFinish }: Switches): number | null {
  if (!processAfterFinish) return video.uploadedAt;
  return video.finishedAt;
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
    video_status: expired
      ? 'expired'
      : failed
        ? 'error'
        : published
          ? 'ready'
          : video.uploadedAt === null
            ? 'uploading'
            : since === null
              ? 'upload_complete'
              : 'processing',
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
