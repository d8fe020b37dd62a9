/** Containers: reels in preparation, which are invisible. */
import type { SimulatorOptions, SimulatorResponse } from '../../contract.ts';
import { captionKey, forgetFault, injectRequestedFault, processingTime } from '../../faults/requested.ts';
import { ok } from '../../graph/responses.ts';
import { totalBytes } from '../../store/chunks.ts';
import { ownedBy } from '../../store/records.ts';
import { DAY } from '../../time.ts';
import { accountFor, type Caller, type CallerHandler, picked } from './caller.ts';
import { captionRefusal, parameterRefusal } from './container-rules.ts';
import { type Container, newId, settingsOf } from './records.ts';
import { down, limited, refuse, removedApplication } from './responses.ts';
import { killGrant } from './tokens.ts';

const CONTAINERS_A_DAY = 400;
export const MAX_BYTES = 300_000_000;
const AGENT = { 'user-agent': 'facebookexternalhit/1.1' };

/** `POST /{ig-user-id}/media`. */
export const createContainer: CallerHandler = async (options, caller, igId) => {
  const account = await accountFor(options, caller, igId, 'content_publish');
  const { parameters, grant } = caller;
  const caption = parameters.get('caption') ?? '';
  const trouble = await injectFault(options, caller, igId, caption);
  const refusal = parameterRefusal(parameters, grant.login) ?? captionRefusal(caption);
  if (refusal) return refusal;
  if (account.restricted) return refuse('25/2207050', 'The account is restricted.');
  if (options.limits && (await containersOfDay(options, igId)) >= CONTAINERS_A_DAY) return limited(igId, 60);
  const { failing } = await settingsOf(options);
  const base: Container = {
    id: newId('17'),
    igId,
    caption,
    shareToFeed: parameters.get('share_to_feed') !== 'false',
    thumbOffset: Number(parameters.get('thumb_offset') ?? 0),
    source: parameters.has('upload_type') ? 'upload' : 'url',
    chunks: [],
    size: null,
    mime: 'video/mp4',
    createdAt: options.now(),
    processingMs: processingTime(trouble, options.processingMs),
    completeAt: null,
    failCode: trouble === 'reject' ? '2207026' : failing,
    trouble,
    media: [],
  };
  const container = base.source === 'url' ? await fetched(options, base, parameters.get('video_url') ?? '') : base;
  if (!container) return refuse('9004/2207052', 'The media could not be fetched from this URI.');
  await options.store.put('container', container.id, container, igId);
  await forgetFault(options.store, igId, caption);
  if (container.source === 'url') return ok({ id: container.id });
  const uri = `${options.baseUrl}/rupload/ig-api-upload/v25.0/${container.id}`;
  return ok({ id: container.id, uri });
};

/** Fetches the video as the platform's servers do; null if the URL is unreachable. */
async function fetched(options: SimulatorOptions, base: Container, url: string): Promise<Container | null> {
  const response = await options.fetch(url, AGENT);
  if (!response) return null;
  const completeAt = options.now();
  if (response.status !== 200) {
    response.body.resume();
    return { ...base, completeAt, failCode: '2207052' };
  }
  const { bytes } = await options.blobs.put(base.id, response.body);
  const announced = Number(response.headers['content-length'] ?? bytes);
  const wrong = bytes !== announced ? '2207003' : bytes > MAX_BYTES ? '2207026' : null;
  const mime = response.headers['content-type'] ?? base.mime;
  const chunks = [{ blob: base.id, bytes }];
  return { ...base, completeAt, mime, size: bytes, chunks, failCode: base.failCode ?? wrong };
}

export type StatusCode = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED';

/** @param lagMs delay before a container reports PUBLISHED, ms */
export function statusCodeOf(container: Container, now: number, lagMs = 0): StatusCode {
  const [first] = container.media;
  if (first) return now - first.at >= lagMs ? 'PUBLISHED' : 'FINISHED';
  if (now - container.createdAt >= DAY) return 'EXPIRED';
  if (container.completeAt === null || now - container.completeAt < container.processingMs) return 'IN_PROGRESS';
  return container.failCode === null ? 'FINISHED' : 'ERROR';
}

const WORDS: Record<StatusCode, string> = {
  IN_PROGRESS: 'In Progress: Media is still being processed.',
  FINISHED: 'Finished: Media has been uploaded and it is ready to be published.',
  ERROR: 'Error: Media upload has failed with error code',
  EXPIRED: 'Expired: Media container is older than 24 hours.',
  PUBLISHED: 'Published: Media has been published successfully.',
};

/** `GET /{container-id}`. */
export async function containerNode(
  options: SimulatorOptions,
  caller: Caller,
  container: Container,
): Promise<SimulatorResponse> {
  const { statusLagMs } = await settingsOf(options);
  const code = statusCodeOf(container, options.now(), statusLagMs);
  const complete = container.completeAt !== null;
  const all = {
    id: container.id,
    status_code: code,
    status: code === 'ERROR' ? `${WORDS.ERROR} ${container.failCode}` : WORDS[code],
    copyright_check_status: { matches_found: false, status: 'completed' },
    video_status: {
      uploading_phase: {
        status: complete ? 'complete' : totalBytes(container.chunks) > 0 ? 'in_progress' : 'not_started',
        bytes_transferred: totalBytes(container.chunks),
      },
      processing_phase: { status: !complete ? 'not_started' : code === 'IN_PROGRESS' ? 'in_progress' : 'complete' },
    },
  };
  return picked(all, caller.parameters);
}

async function containersOfDay(options: SimulatorOptions, owner: string): Promise<number> {
  const all = await ownedBy<Container>(options, 'container', owner);
  return all.filter(({ createdAt }) => createdAt > options.now() - DAY).length;
}

/** After a successful call, the same caption requests its fault again. @throws Refused */
function injectFault(options: SimulatorOptions, { grantId }: Caller, igId: string, caption: string) {
  const requester = { caption, publish: captionKey(igId, caption), account: igId };
  return injectRequestedFault(options.store, requester, {
    async reconnect() {
      await killGrant(options, grantId, 458);
      return removedApplication();
    },
    rateLimited: limited(igId, 1),
    down: down(),
  });
}
