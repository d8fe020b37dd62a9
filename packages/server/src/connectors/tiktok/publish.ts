import type { AnswerRule, CommitPlan, ConfirmResult, JsonObject, StepResult, VerifyResult, Work } from '../contract.ts';
import { PlatformError } from '../kit/failure.ts';
import type { HttpAnswer, HttpBody } from '../kit/http.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { call, failReason, failureOf } from './api.ts';
import { type Chunk, type ChunkPlan, chunkAt, planChunks } from './chunks.ts';

/** Where an upload stands. The upload address carries a token, so the checkpoint is stored sealed. */
interface Upload {
  stage: 'creator' | 'upload' | 'published';
  publishId: string;
  uploadUrl: string;
  /** ms since the epoch; the address is good for an hour. */
  openedAt: number;
  /** Bytes that TikTok has acknowledged. */
  sent: number;
  /** Times that TikTok called the public id missing although it was done. */
  polls: number;
}

/** The upload address lives for an hour; a minute is left for the request that uses it. */
const LINK_LIFE_MS = 59 * 60_000;

const asUpload = (checkpoint: JsonObject): Upload => checkpoint as unknown as Upload;
const asCheckpoint = (upload: Upload): JsonObject => ({ ...upload });

/** The account's present options must be asked for before each post; a privacy that is gone is told, never changed. */
export async function begin({ session, media }: Work): Promise<StepResult> {
  await session.spend('creator');
  const creator = await call(session, 'POST', '/v2/post/publish/creator_info/query/', {});
  const options = at(creator, 'privacy_level_options');
  const wanted = session.choices.privacy ?? '';
  if (Array.isArray(options) && !options.includes(wanted))
    return {
      then: 'failed',
      failure: {
        kind: 'setup',
        detail: `The account does not allow the privacy "${wanted}" any more. Choose again in its settings.`,
      },
    };
  const maxSeconds = numberAt(creator, 'max_video_post_duration_sec');
  if (maxSeconds && media.durationMs > maxSeconds * 1000 + 50)
    return {
      then: 'failed',
      failure: { kind: 'rejected', what: 'video', detail: `This account may post videos of at most ${maxSeconds} s.` },
    };
  return {
    then: 'continue',
    checkpoint: asCheckpoint({ stage: 'creator', publishId: '', uploadUrl: '', openedAt: 0, sent: 0, polls: 0 }),
    note: 'TikTok was asked what the account may post.',
  };
}

/** Opens the upload, then sends one chunk a step; the last chunk is the irreversible one. */
export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const upload = asUpload(checkpoint);
  // With bytes missing nothing was posted, so an upload whose address has run out is simply begun anew.
  if (upload.stage === 'creator' || work.session.now() - upload.openedAt > LINK_LIFE_MS) return open(work);
  const plan = planChunks(work.media.bytes);
  const chunk = chunkAt(plan, upload.sent);
  if (!chunk) return open(work);
  if (chunk.isLast) return { then: 'commit', checkpoint, note: lastNote(plan) };
  const answer = await work.session.http({
    method: 'PUT',
    url: upload.uploadUrl,
    headers: chunkHeaders(work, chunk),
    body: chunkBody(work, chunk),
    deadlineMs: uploadDeadline(chunk),
  });
  if (answer.status === 206) {
    return {
      then: 'continue',
      checkpoint: asCheckpoint({ ...upload, sent: chunk.last + 1 }),
      note: `Sent ${chunk.last + 1} of ${work.media.bytes} bytes.`,
    };
  }
  return refusedChunk(work, upload, answer);
}

async function open({ session, post, media }: Work): Promise<StepResult> {
  await session.spend('posts');
  await session.spend('init');
  const plan = planChunks(media.bytes);
  const data = await call(session, 'POST', '/v2/post/publish/video/init/', {
    post_info: {
      title: post.text,
      privacy_level: session.choices.privacy,
      disable_duet: false,
      disable_comment: false,
      disable_stitch: false,
      video_cover_timestamp_ms: Math.round(post.previewTimeMs),
      brand_content_toggle: false,
      brand_organic_toggle: false,
    },
    source_info: {
      source: 'FILE_UPLOAD',
      video_size: plan.videoSize,
      chunk_size: plan.chunkSize,
      total_chunk_count: plan.count,
    },
  });
  const publishId = textAt(data, 'publish_id');
  const uploadUrl = textAt(data, 'upload_url');
  if (!publishId || !uploadUrl)
    throw new PlatformError({ kind: 'transient', detail: 'TikTok opened an upload without an address.' });
  const upload: Upload = { stage: 'upload', publishId, uploadUrl, openedAt: session.now(), sent: 0, polls: 0 };
  return {
    then: 'continue',
    checkpoint: asCheckpoint(upload),
    note: `Upload opened: ${plan.count} ${plan.count === 1 ? 'part' : 'parts'}.`,
  };
}

/** 416: TikTok has another number of bytes than we think; 403 and 404: the upload is gone, and nothing was posted by it. */
async function refusedChunk({ session }: Work, upload: Upload, answer: HttpAnswer): Promise<StepResult> {
  if (answer.status === 416) {
    await session.spend('status');
    const status = await statusOf(session, upload);
    const sent = numberAt(status, 'uploaded_bytes') ?? 0;
    return {
      then: 'continue',
      checkpoint: asCheckpoint({ ...upload, sent }),
      note: `TikTok has ${sent} bytes; going on from there.`,
    };
  }
  if (answer.status === 403 || answer.status === 404)
    return {
      then: 'continue',
      checkpoint: asCheckpoint({ ...upload, stage: 'creator', publishId: '', uploadUrl: '', sent: 0 }),
      note: 'The upload had expired with bytes missing; opening a new one.',
    };
  throw new PlatformError(failureOf(answer));
}

const answers: readonly AnswerRule[] = [
  { status: 201, proves: 'done' },
  // The table of the Media Transfer Guide: these say that the bytes were not taken.
  { status: 400, proves: 'notYet' },
];

/** The last chunk: its last byte publishes. */
export const commit: CommitPlan = {
  async request(work, checkpoint) {
    const upload = asUpload(checkpoint);
    const chunk = chunkAt(planChunks(work.media.bytes), upload.sent);
    if (!chunk?.isLast) throw new Error('The last chunk was asked for out of turn.');
    return {
      method: 'PUT',
      url: upload.uploadUrl,
      headers: chunkHeaders(work, chunk),
      body: chunkBody(work, chunk),
      lastByteCommits: true,
      deadlineMs: uploadDeadline(chunk),
    };
  },
  answers,
  codeOf: (answer) => textAt(answer.tryJson(), 'error', 'code'),
  failureOf: (answer) => failureOf(answer),
  done: (_work, checkpoint) => ({
    then: 'confirming',
    checkpoint: asCheckpoint({ ...asUpload(checkpoint), stage: 'published' }),
    afterMs: 1_000,
    note: 'TikTok has the whole video and is processing it.',
  }),
};

export async function confirm({ session }: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const upload = asUpload(checkpoint);
  await session.spend('status');
  return read(session, upload, await statusOf(session, upload));
}

/** The publish id answers for itself: bytes missing means not posted, everything else is followed. */
export async function verify({ session, media }: Work, checkpoint: JsonObject | null): Promise<VerifyResult> {
  if (!checkpoint) return { then: 'stillUnknown', note: 'There is nothing left to ask TikTok by.' };
  const upload = asUpload(checkpoint);
  await session.spend('status');
  let status: unknown;
  try {
    status = await statusOf(session, upload);
  } catch (error) {
    // How long TikTok knows an id is not documented, so "invalid" is no "no".
    if (error instanceof PlatformError && error.failure.platformCode === 'invalid_publish_id')
      return { then: 'stillUnknown', note: 'TikTok does not know this upload any more.' };
    throw error;
  }
  const sent = numberAt(status, 'uploaded_bytes') ?? 0;
  if (textAt(status, 'status') === 'PROCESSING_UPLOAD' && sent < media.bytes) {
    const resume = asCheckpoint({ ...upload, stage: 'upload', sent: resumeFrom(planChunks(media.bytes), sent) });
    return { then: 'notPosted', checkpoint: resume, note: `TikTok has ${sent} of ${media.bytes} bytes.` };
  }
  return read(session, upload, status);
}

/** The start of the chunk that TikTok is waiting for: what it has of an unfinished one does not count. */
function resumeFrom(plan: ChunkPlan, sent: number): number {
  return Math.min(Math.floor(sent / plan.chunkSize), plan.count - 1) * plan.chunkSize;
}

function statusOf(session: Work['session'], upload: Upload) {
  return call(session, 'POST', '/v2/post/publish/status/fetch/', { publish_id: upload.publishId });
}

const POLL_AFTER_MS = [1_000, 2_000, 5_000, 15_000, 30_000, 60_000];

function read(session: Work['session'], upload: Upload, status: unknown): ConfirmResult {
  const state = textAt(status, 'status');
  const polls = upload.polls + 1;
  const checkpoint = asCheckpoint({ ...upload, stage: 'published', polls });
  const afterMs = POLL_AFTER_MS[upload.polls] ?? 300_000;
  if (state === 'FAILED') return { then: 'failed', failure: failReason(textAt(status, 'fail_reason') || 'internal') };
  if (state !== 'PUBLISH_COMPLETE')
    return { then: 'confirming', checkpoint, afterMs, note: 'TikTok is processing the video.' };
  if (session.choices.privacy !== 'PUBLIC_TO_EVERYONE')
    return {
      then: 'posted',
      published: { remoteId: null, url: null, publishedAt: null },
      note: 'Posted with the chosen privacy.',
    };
  // One id as a bare 64-bit number in a list; older answers had it without the list. The spelling is TikTok's.
  const ids = at(status, 'publicaly_available_post_id');
  const id = textAt({ id: Array.isArray(ids) ? ids[0] : ids }, 'id');
  if (!id)
    return {
      then: 'confirming',
      checkpoint,
      afterMs,
      complete: true,
      note: 'Done; TikTok has not made it public yet.',
    };
  return {
    then: 'posted',
    published: { remoteId: id, url: `https://www.tiktok.com/@${session.username}/video/${id}`, publishedAt: null },
    note: 'Posted.',
  };
}

function chunkHeaders({ media }: Work, chunk: Chunk): Record<string, string> {
  return { 'content-range': `bytes ${chunk.first}-${chunk.last}/${media.bytes}` };
}

function chunkBody({ media }: Work, chunk: Chunk): HttpBody {
  return {
    kind: 'stream',
    length: chunk.last - chunk.first + 1,
    type: { mov: 'video/quicktime', webm: 'video/webm' }[media.container as string] ?? 'video/mp4',
    open: () => media.stream({ first: chunk.first, last: chunk.last }),
  };
}

/** Half a minute, and time for a slow uplink of 1 Mbit/s. */
function uploadDeadline(chunk: Chunk): number {
  return 30_000 + Math.ceil((chunk.last - chunk.first + 1) / 125);
}

function lastNote(plan: ChunkPlan): string {
  return plan.count === 1
    ? 'Sending the video; with its last byte it is posted.'
    : 'Sending the last part; with its last byte it is posted.';
}
