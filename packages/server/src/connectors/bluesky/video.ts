/**
 * Client for the video service (lexicons app.bsky.video.*). The service transcodes a video and stores the result as a
 * blob on the account's server, using a service token of the account.
 */
import type { HttpRequest, HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import type { Json, StepResult, Work } from '../contract.ts';
import { transient } from '../kit/failures.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { failed, proceed } from '../kit/results.ts';
import { type Progress, toCheckpoint } from './checkpoint.ts';
import { codeOf, failureOf, told, verdictOn } from './classify.ts';
import { MIME_OF } from './limits.ts';
import { pdsOf, xrpcUrl } from './pds.ts';
import { serviceToken } from './service-token.ts';
import { uploadDeadline, uploaded } from './upload.ts';

/** Maximum restarts of an upload after the service failed. */
const MAX_ROUNDS = 3;
const ROUND_PAUSE_MS = 30_000;
/** Minimum remaining lifetime in ms for a token to be reused for another part. */
const TOKEN_RESERVE_MS = 120_000;
const FIRST_POLL_MS = 1_500;
const SLOWEST_POLL_MS = 15_000;
/** Polls before a job is considered lost; about an hour. */
const MAX_POLLS = 250;
/** Errors after which the upload restarts. */
const GONE = ['UploadExpired', 'UploadNotFound', 'UploadAborted', 'UploadFailed', 'JobNotFound', 'MissingParts'];

export async function startVideo(work: Work, progress: Progress): Promise<StepResult> {
  const { media } = work;
  const { answer, service } = await ask(work, progress, 'startUpload', (headers) => ({
    method: 'POST',
    headers,
    json: {
      sizeBytes: media.bytes,
      mimeType: mimeOf(work),
      name: nameOf(work),
      durationMs: Math.round(media.durationMs),
      width: media.width,
      height: media.height,
    },
  }));
  if (isUnknownMethod(answer)) {
    const next: Progress = { ...progress, by: 'service', service };
    return go(next, 'This video service takes no parts; the video goes in one request.');
  }
  if (answer.status !== 200) return afterRefusal(work, progress, answer);
  const upload = {
    jobId: textAt(answer.tryJson(), 'jobId'),
    partBytes: numberAt(answer.tryJson(), 'partSizeBytes') ?? 0,
    partCount: numberAt(answer.tryJson(), 'partCount') ?? 0,
    nextPart: 1,
  };
  // Inconsistent parts would be rejected one by one.
  if (!upload.jobId || upload.partBytes < 1 || Math.ceil(media.bytes / upload.partBytes) !== upload.partCount)
    return failed(transient('The video service began an upload that makes no sense.'));
  return go({ ...progress, phase: 'parts', upload, service }, `The upload has begun, ${upload.partCount} part(s).`);
}

export async function sendPart(work: Work, progress: Progress): Promise<StepResult> {
  const { upload } = progress;
  if (!upload) return anew(progress, 'The upload was not known any more.');
  if (upload.nextPart > upload.partCount) return finish(work, progress, upload.jobId);
  const first = (upload.nextPart - 1) * upload.partBytes;
  const last = Math.min(first + upload.partBytes, work.media.bytes) - 1;
  const length = last - first + 1;
  const query = { jobId: upload.jobId, partNumber: String(upload.nextPart) };
  const { answer, service } = await ask(work, progress, 'uploadPart', (headers) => ({
    method: 'POST',
    headers,
    query,
    body: { kind: 'stream', open: () => work.media.stream({ first, last }), length, type: 'application/octet-stream' },
    deadlineMs: uploadDeadline(length),
  }));
  const complete = codeOf(answer) === 'UploadAlreadyCompleted';
  if (answer.status !== 200 && !complete) return afterRefusal(work, progress, answer);
  const nextPart = complete ? upload.partCount + 1 : upload.nextPart + 1;
  return go(
    { ...progress, service, upload: { ...upload, nextPart } },
    `Part ${upload.nextPart} of ${upload.partCount} is there.`,
  );
}

async function finish(work: Work, progress: Progress, jobId: string): Promise<StepResult> {
  // The service stores its result later with this token, so the call uses a fresh one.
  const { answer, service } = await ask(work, { ...progress, service: null }, 'finishUpload', (headers) => ({
    method: 'POST',
    headers,
    json: { jobId },
  }));
  if (answer.status !== 200) return afterRefusal(work, progress, answer);
  const id = textAt(answer.tryJson(), 'completedJobId') || jobId;
  return afterUpload(work, { ...progress, service }, id, at(answer.tryJson(), 'jobStatus') as Json);
}

/** Older protocol: sends all bytes in one request. */
export async function sendWhole(work: Work, progress: Progress): Promise<StepResult> {
  const { media, session } = work;
  const { answer } = await ask(work, { ...progress, service: null }, 'uploadVideo', (headers) => ({
    method: 'POST',
    headers,
    query: { did: session.remoteId, name: nameOf(work) },
    body: { kind: 'stream', open: () => media.stream(), length: media.bytes, type: mimeOf(work) },
    deadlineMs: uploadDeadline(media.bytes),
  }));
  const body = answer.tryJson();
  // Same bytes as before: the response names the existing job, which may already be done.
  const known = answer.status === 409 && textAt(body, 'error') === 'already_exists';
  if (answer.status !== 200 && !known) return afterRefusal(work, progress, answer);
  const status = statusIn(body);
  return afterUpload(work, progress, textAt(status, 'jobId'), status);
}

function afterUpload(work: Work, progress: Progress, id: string, status: Json): Promise<StepResult> | StepResult {
  if (!id) return failed(transient('The video service named no job.'));
  const next: Progress = { ...progress, phase: 'job', upload: null, job: { id, polls: 0 } };
  return judge(work, next, status, 'The video service has the video.');
}

/** Polls the status of the job. The endpoint needs no authentication. */
export async function pollJob(work: Work, progress: Progress): Promise<StepResult> {
  const { session } = work;
  const { job } = progress;
  if (!job) return anew(progress, 'The job was not known any more.');
  const url = xrpcUrl(session.endpoints.video ?? '', 'app.bsky.video.getJobStatus', { jobId: job.id });
  const response = await session.http({ method: 'GET', url });
  if (response.status === 404) return anew(progress, 'The video service does not know the job any more.');
  if (response.status !== 200) return afterRefusal(work, progress, response);
  return judge(work, progress, statusIn(response.tryJson()), 'The video service is still working.');
}

/** @param status `app.bsky.video.defs#jobStatus` */
function judge({ session }: Work, progress: Progress, status: Json, note: string): StepResult {
  const state = textAt(status, 'state');
  const blob = at(status, 'blob');
  if (textAt(blob, 'ref', '$link')) return uploaded(progress, blob, session.now(), 'The video service is done.');
  if (state === 'JOB_STATE_FAILED') return jobFailed(progress, status);
  const polls = (progress.job?.polls ?? 0) + 1;
  if (polls > MAX_POLLS) return anew(progress, 'The video service did not come to an end.');
  const afterMs = Math.min(FIRST_POLL_MS * 1.15 ** (polls - 1), SLOWEST_POLL_MS);
  const job = { id: progress.job?.id ?? '', polls };
  return proceed(toCheckpoint({ ...progress, job }), note, Math.round(afterMs));
}

function jobFailed(progress: Progress, status: Json): StepResult {
  const code = textAt(status, 'failureCode') || textAt(status, 'error');
  const message = textAt(status, 'message') || textAt(status, 'error');
  const verdict = verdictOn(code, message);
  const detail = `The video service failed: ${told(code, message) || 'no reason given'}.`;
  if (!verdict || verdict.kind === 'transient') return anew(progress, detail);
  return failed({ ...verdict, detail, ...(code ? { platformCode: code } : {}) } as Failure);
}

function afterRefusal({ session }: Work, progress: Progress, response: HttpResponse): StepResult {
  const code = codeOf(response);
  if (GONE.includes(code)) return anew(progress, `The video service answered ${code}.`);
  const failure = failureOf(response, session.now());
  // The service rejects a token issued a moment ago. A new login cannot fix that, but a new token may.
  if (failure.kind === 'tokenExpired')
    return failed({ kind: 'transient', detail: failure.detail, status: response.status });
  return failed(failure);
}

/** Restarts the upload, at most `MAX_ROUNDS` times. */
function anew(progress: Progress, why: string): StepResult {
  const rounds = progress.rounds + 1;
  if (rounds > MAX_ROUNDS) return failed(transient(`${why} Given up on it for now.`));
  const next: Progress = { ...progress, phase: 'upload', rounds, upload: null, job: null, service: null, blob: null };
  const afterMs = ROUND_PAUSE_MS * 2 ** (rounds - 1);
  return proceed(toCheckpoint(next), `${why} The upload begins again.`, afterMs);
}

type Asked = Omit<HttpRequest, 'url'> & { query?: Record<string, string> };

/** Calls the video service with a token that remains valid for at least two minutes. */
async function ask(
  { session }: Work,
  progress: Progress,
  method: string,
  request: (headers: Record<string, string>) => Asked,
): Promise<{ answer: HttpResponse; service: NonNullable<Progress['service']> }> {
  const now = session.now();
  const inHand = progress.service && progress.service.expiresAt - now > TOKEN_RESERVE_MS ? progress.service : null;
  const wanted = { aud: textAt(session.extra, 'serverDid'), lxm: 'com.atproto.repo.uploadBlob' };
  const service = inHand ?? (await serviceToken(pdsOf(session), wanted, now));
  const { query, ...rest } = request({ authorization: `Bearer ${service.token}` });
  const url = xrpcUrl(session.endpoints.video ?? '', `app.bsky.video.${method}`, query);
  return { answer: await session.http({ ...rest, url }), service };
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

function go(progress: Progress, note: string): StepResult {
  return proceed(toCheckpoint(progress), note);
}
