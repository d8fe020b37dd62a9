/**
 * Uploads the video: as one blob to the account's server, or to the video service (lexicons app.bsky.video.*). The
 * service transcodes it and stores the result as a blob on the account's server, using a service token of the account.
 */
import { MINUTE, SECOND } from '../../lib/time.ts';
import type { HttpRequest, HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import type { Json, JsonObject, StepResult, Work } from '../contract.ts';
import { rejected, transient, withWords } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { transferMs } from '../kit/requests.ts';
import { failed, proceed } from '../kit/results.ts';
import { tameWords } from '../kit/words.ts';
import type { Progress } from './checkpoint.ts';
import { codeOf, failureOf, namedFailure } from './classify.ts';
import { MAX_VIDEO_BYTES, MIME_OF, MIN_BLOB_BYTES, USUAL_BLOB_BYTES } from './limits.ts';
import { say } from './messages.ts';
import { pdsOf, serviceToken, xrpcUrl } from './pds.ts';

type StepNote = Failure['detail'];

/** Time for the response, and the minimum uplink. */
const TRANSFER = { responseMs: MINUTE, bytesPerMs: 50 };

/** Uploads the video as one blob to the account's server. It becomes visible once Bluesky has processed the post. */
export async function uploadBlob({ session, media }: Work, progress: Progress): Promise<StepResult> {
  await session.spend('blobs');
  const response = await pdsOf(session).call({
    method: 'POST',
    nsid: 'com.atproto.repo.uploadBlob',
    body: { kind: 'stream', open: () => media.stream(), length: media.bytes, type: 'video/mp4' },
    deadlineMs: transferMs(media.bytes, TRANSFER),
  });
  // Servers before PDS 0.5 do not tell their limit, and a proxy in front of a server has one of its own.
  if (response.status === 413 && media.bytes > MIN_BLOB_BYTES) {
    const detail = say('server_limit_smaller', { limitBytes: MIN_BLOB_BYTES });
    return failed({
      ...failureOf(response, session.now()),
      kind: 'rejected',
      what: 'video',
      maxBytes: MIN_BLOB_BYTES,
      detail,
    });
  }
  if (response.status !== 200) return failed(failureOf(response, session.now()));
  const blob = at(response.tryJson(), 'blob');
  return uploaded(progress, blob, session.now(), say('upload_complete'));
}

/** Continues with the record once the blob exists. @param blob unchanged from the server's response */
function uploaded(progress: Progress, blob: unknown, now: number, note: StepNote): StepResult {
  if (!textAt(blob, 'ref', '$link')) return failed(transient(say('response_incomplete')));
  const mime = textAt(blob, 'mimeType');
  // Servers detect the media type from the content. A post cannot show a blob of another type.
  if (mime !== 'video/mp4') return failed(rejected('video', say('not_mp4', { mime })));
  const next: Progress = {
    ...progress,
    phase: 'uploaded',
    upload: null,
    job: null,
    service: null,
    blob: { ref: blob as JsonObject, at: now },
  };
  return proceed(next, note);
}

/** Returns the server's maximum blob size in bytes. @param extra facts about the account */
export function blobLimit(extra: JsonObject): number {
  return Math.min(numberAt(extra, 'blobUploadLimit') ?? USUAL_BLOB_BYTES, MAX_VIDEO_BYTES);
}

/** Maximum restarts of an upload after the service failed. */
const MAX_ROUNDS = 3;
const ROUND_PAUSE_MS = 30 * SECOND;
/** Minimum remaining lifetime in ms for a token to be reused for another part. */
const TOKEN_RESERVE_MS = 2 * MINUTE;
const FIRST_POLL_MS = 1.5 * SECOND;
const SLOWEST_POLL_MS = 15 * SECOND;
/** Polls before a job is considered lost; about an hour. */
const MAX_POLLS = 250;
/** Delay before a refused part is sent again. After these, the video is sent in one request. */
const PART_PAUSES_MS = [5 * SECOND, 15 * SECOND, 45 * SECOND];
/** Errors after which the upload restarts. */
const GONE = ['UploadExpired', 'UploadNotFound', 'UploadAborted', 'UploadFailed', 'JobNotFound'];

export async function startVideo(work: Work, progress: Progress): Promise<StepResult> {
  const { media } = work;
  const { response, service } = await ask(work, progress, 'startUpload', {
    json: {
      sizeBytes: media.bytes,
      mimeType: mimeOf(work),
      name: nameOf(work),
      durationMs: Math.round(media.durationMs),
      width: media.width,
      height: media.height,
    },
  });
  if (isUnknownMethod(response)) return proceed({ ...progress, by: 'service', service }, say('parts_unsupported'));
  if (response.status !== 200) return inOneRequest(work, progress, response);
  const upload = {
    jobId: textAt(response.tryJson(), 'jobId'),
    partBytes: numberAt(response.tryJson(), 'partSizeBytes') ?? 0,
    partCount: numberAt(response.tryJson(), 'partCount') ?? 0,
    nextPart: 1,
  };
  // Inconsistent parts would be rejected one by one.
  if (!upload.jobId || upload.partBytes < 1 || Math.ceil(media.bytes / upload.partBytes) !== upload.partCount)
    return failed(transient(say('platform_response_invalid')));
  const next: Progress = { ...progress, phase: 'parts', upload, service };
  return proceed(next, say('upload_opened_in_parts', { parts: upload.partCount }));
}

export async function sendPart(work: Work, progress: Progress): Promise<StepResult> {
  const { upload } = progress;
  if (!upload) return restart(progress, say('upload_unknown'));
  if (upload.nextPart > upload.partCount) return finish(work, progress, upload.jobId);
  const first = (upload.nextPart - 1) * upload.partBytes;
  const last = Math.min(first + upload.partBytes, work.media.bytes) - 1;
  const length = last - first + 1;
  const query = { jobId: upload.jobId, partNumber: String(upload.nextPart) };
  const { response, service } = await ask(work, progress, 'uploadPart', {
    query,
    body: { kind: 'stream', open: () => work.media.stream({ first, last }), length, type: 'application/octet-stream' },
    deadlineMs: transferMs(length, TRANSFER),
  });
  const complete = codeOf(response) === 'UploadAlreadyCompleted';
  if (response.status !== 200 && !complete) return afterRefusedPart(work, progress, response);
  const nextPart = complete ? upload.partCount + 1 : upload.nextPart + 1;
  return proceed(
    { ...progress, service, upload: { ...upload, nextPart } },
    say('part_sent', { part: upload.nextPart, parts: upload.partCount }),
  );
}

async function finish(work: Work, progress: Progress, jobId: string): Promise<StepResult> {
  // The service stores its result later with this token, so the call uses a fresh one.
  const { response, service } = await ask(work, { ...progress, service: null }, 'finishUpload', { json: { jobId } });
  if (response.status !== 200) return afterRefusedPart(work, progress, response);
  const id = textAt(response.tryJson(), 'completedJobId') || jobId;
  return afterUpload(work, { ...progress, service }, id, at(response.tryJson(), 'jobStatus') as Json);
}

/** Repeats a refused part or finish a few times. Then the video is sent in one request. */
async function afterRefusedPart(work: Work, progress: Progress, response: HttpResponse): Promise<StepResult> {
  const { upload } = progress;
  const failure = failureOf(response, work.session.now());
  const refusals = upload?.refusals ?? 0;
  const afterMs = PART_PAUSES_MS[refusals];
  if (failure.kind === 'rateLimited') return failed(failure);
  if (!upload || afterMs === undefined || GONE.includes(codeOf(response)))
    return inOneRequest(work, progress, response);
  const again = { ...progress, upload: { ...upload, refusals: refusals + 1 } };
  if (codeOf(response) === 'MissingParts') {
    const part = await firstMissingPart(work, progress, upload);
    again.upload.nextPart = part;
    return proceed(again, say('parts_missing', { part }), afterMs);
  }
  if (failure.kind !== 'transient' && failure.kind !== 'tokenExpired') return inOneRequest(work, progress, response);
  // A new token may help if the service rejects one that was issued a moment ago.
  return proceed({ ...again, service: null }, say('part_repeated', { reason: failure.detail }), afterMs);
}

/** Returns the number of the first part that the service does not have. */
async function firstMissingPart(
  work: Work,
  progress: Progress,
  { jobId, partCount }: NonNullable<Progress['upload']>,
): Promise<number> {
  const { response } = await ask(work, progress, 'getUploadStatus', { method: 'GET', query: { jobId } });
  const received = at(response.tryJson(), 'receivedParts');
  const known = Array.isArray(received) ? received : [];
  for (let part = 1; part <= partCount; part++) if (!known.includes(part)) return part;
  return 1;
}

/**
 * Gives up the parts. Bluesky's own application sends the video in one request after any refusal of the parts, which
 * also covers a service that has switched them off (social-app, multipart/upload.ts). A verdict on the video or on the
 * daily limit holds for both ways, and a lost upload is first opened once more.
 */
async function inOneRequest(work: Work, progress: Progress, response: HttpResponse): Promise<StepResult> {
  const failure = failureOf(response, work.session.now());
  if (GONE.includes(codeOf(response))) {
    if (progress.rounds === 0) return afterRejection(work, progress, response);
  } else await abort(work, progress);
  const isVerdict = (failure.kind === 'rejected' && failure.what === 'video') || failure.kind === 'rateLimited';
  if (isVerdict || failure.kind === 'tokenExpired') return afterRejection(work, progress, response);
  const next: Progress = { ...progress, phase: 'upload', by: 'service', upload: null, service: null };
  return proceed(next, say('parts_rejected', { reason: failure.detail }));
}

/**
 * Ends an upload that will not be finished, which otherwise occupies one of the account's open uploads until it
 * expires. A failure does not matter.
 */
export async function abort(work: Work, progress: Progress): Promise<void> {
  const jobId = progress.upload?.jobId;
  if (!jobId || progress.phase !== 'parts') return;
  const given = { json: { jobId }, deadlineMs: 10 * SECOND };
  await ask(work, progress, 'abortUpload', given).catch(() => null);
}

/** Older protocol: sends all bytes in one request. */
export async function sendWhole(work: Work, progress: Progress): Promise<StepResult> {
  const { media, session } = work;
  const { response } = await ask(work, { ...progress, service: null }, 'uploadVideo', {
    query: { did: session.remoteId, name: nameOf(work) },
    body: { kind: 'stream', open: () => media.stream(), length: media.bytes, type: mimeOf(work) },
    deadlineMs: transferMs(media.bytes, TRANSFER),
  });
  const body = response.tryJson();
  // Same bytes as before: the response names the existing job, which may already be done.
  const known = response.status === 409 && textAt(body, 'error') === 'already_exists';
  if (response.status !== 200 && !known) return afterRejection(work, progress, response);
  const status = statusIn(body);
  return afterUpload(work, progress, textAt(status, 'jobId'), status);
}

function afterUpload(work: Work, progress: Progress, id: string, status: Json): Promise<StepResult> | StepResult {
  if (!id) return failed(transient(say('response_incomplete')));
  const next: Progress = { ...progress, phase: 'job', upload: null, job: { id, polls: 0 } };
  return judge(work, next, status, say('upload_processing'));
}

/** Polls the status of the job. The endpoint needs no authentication. */
export async function pollJob(work: Work, progress: Progress): Promise<StepResult> {
  const { session } = work;
  const { job } = progress;
  if (!job) return restart(progress, say('upload_unknown'));
  const url = xrpcUrl(session.endpoints.video ?? '', 'app.bsky.video.getJobStatus', { jobId: job.id });
  const response = await session.http({ method: 'GET', url });
  if (response.status === 404) return restart(progress, say('upload_unknown'));
  if (response.status !== 200) return afterRejection(work, progress, response);
  return judge(work, progress, statusIn(response.tryJson()), say('processing'));
}

/** @param status `app.bsky.video.defs#jobStatus` */
function judge({ session }: Work, progress: Progress, status: Json, note: StepNote): StepResult {
  const state = textAt(status, 'state');
  const blob = at(status, 'blob');
  if (textAt(blob, 'ref', '$link')) return uploaded(progress, blob, session.now(), say('processed'));
  if (state === 'JOB_STATE_FAILED') return jobFailed(progress, status);
  const polls = (progress.job?.polls ?? 0) + 1;
  if (polls > MAX_POLLS) return restart(progress, say('video_not_processed'));
  const afterMs = Math.min(FIRST_POLL_MS * 1.15 ** (polls - 1), SLOWEST_POLL_MS);
  const job = { id: progress.job?.id ?? '', polls };
  return proceed({ ...progress, job }, note, Math.round(afterMs));
}

function jobFailed(progress: Progress, status: Json): StepResult {
  const code = textAt(status, 'failureCode') || textAt(status, 'error');
  const message = textAt(status, 'message') || textAt(status, 'error');
  const unknown = withWords(transient(say('video_not_processed')), tameWords(message || code));
  const failure = namedFailure(code, message) ?? unknown;
  if (failure.kind === 'transient') return restart(progress, failure.detail);
  return failed({ ...failure, ...(code ? { platformCode: code } : {}) });
}

function afterRejection({ session }: Work, progress: Progress, response: HttpResponse): StepResult {
  const code = codeOf(response);
  if (GONE.includes(code)) return restart(progress, say('upload_rejected', { code }));
  const failure = failureOf(response, session.now());
  // The service rejects a token issued a moment ago. A new login cannot fix that, but a new token may.
  if (failure.kind === 'tokenExpired') return failed({ ...transient(failure.detail), status: response.status });
  return failed(failure);
}

/** Restarts the upload, at most `MAX_ROUNDS` times. */
function restart(progress: Progress, reason: StepNote): StepResult {
  const rounds = progress.rounds + 1;
  if (rounds > MAX_ROUNDS) return failed(transient(say('restarts_exhausted', { reason })));
  const next: Progress = { ...progress, phase: 'upload', rounds, upload: null, job: null, service: null, blob: null };
  const afterMs = ROUND_PAUSE_MS * 2 ** (rounds - 1);
  return proceed(next, say('upload_restarted', { reason }), afterMs);
}

type ServiceRequest = Pick<HttpRequest, 'json' | 'body' | 'deadlineMs'> & {
  /** Defaults to POST. */
  method?: 'GET';
  query?: Record<string, string>;
};

/** Calls the video service with a token that remains valid for at least two minutes. */
async function ask(
  { session }: Work,
  progress: Progress,
  method: string,
  { method: verb, query, ...request }: ServiceRequest,
): Promise<{ response: HttpResponse; service: NonNullable<Progress['service']> }> {
  const now = session.now();
  const reusable = progress.service && progress.service.expiresAt - now > TOKEN_RESERVE_MS ? progress.service : null;
  const wanted = { aud: textAt(session.extra, 'serverDid'), lxm: 'com.atproto.repo.uploadBlob' };
  const service = reusable ?? (await serviceToken(pdsOf(session), wanted, now));
  const url = xrpcUrl(session.endpoints.video ?? '', `app.bsky.video.${method}`, query);
  const headers = { authorization: `Bearer ${service.token}` };
  return { response: await session.http({ method: verb ?? 'POST', url, headers, ...request }), service };
}

/** Returns the job status, unwrapped (as the service responds) or wrapped (as the lexicon defines). */
function statusIn(body: Json): Json {
  const wrapped = at(body, 'jobStatus');
  return wrapped === undefined ? body : (wrapped as Json);
}

function isUnknownMethod(response: HttpResponse): boolean {
  return (
    response.status === 501 ||
    codeOf(response) === 'MethodNotImplemented' ||
    (response.status === 404 && !codeOf(response))
  );
}

function mimeOf({ media }: Work): string {
  return MIME_OF[media.container] ?? media.mime;
}

/** Returns a file name that is unique within the account. */
function nameOf({ post, media }: Work): string {
  return `${post.targetId}.${media.container}`;
}
