/**
 * The video service at `/video`: upload in one request or in parts, jobs, and the daily limit. `/video-whole`
 * implements the older version without parts.
 */
import type { Route, SimulatorResponse } from '../../contract.ts';
import { bearerToken } from '../../http/parameters.ts';
import { type JsonObject, numberAt, textAt } from '../../json.ts';
import { DAY, MINUTE } from '../../time.ts';
import type { Account } from './accounts.ts';
import { serviceAccount } from './auth.ts';
import { receive } from './blobs.ts';
import { randomText } from './ids.ts';
import { type Job, jobStatus, MAX_VIDEO_BYTES, settle, startJob } from './video-jobs.ts';
import type { World } from './world.ts';
import { type Call, input, invalid, ok, parameter, refuse, xrpc } from './xrpc.ts';

const NSID = 'app.bsky.video';
const VIDEO_DID = 'did:web:video.bsky.app';
const PART_BYTES = 5 * 1024 * 1024;
const DAILY_VIDEOS = 25;
const DAILY_BYTES = 10_000_000_000;
const OPEN_UPLOADS = 10;
const INPUTS = ['video/mp4', 'video/mpeg', 'video/webm', 'video/quicktime', 'image/gif'];

interface Upload {
  jobId: string;
  did: string;
  sizeBytes: number;
  partCount: number;
  expiresAt: number;
  state: 'created' | 'completed' | 'aborted';
  /** Keys of the bytes by part number. */
  parts: Record<string, string>;
  completedJobId: string | null;
}

type VideoHandler = (world: World, call: Call) => Promise<SimulatorResponse>;

export function videoRoutes(world: World): Route[] {
  const route = (prefix: string, method: 'GET' | 'POST', name: string, handler: VideoHandler) =>
    xrpc(method, `${NSID}.${name}`, (call) => handler(world, call), prefix);
  return [
    ...['/video', '/video-whole'].flatMap((prefix) => [
      ...route(prefix, 'GET', 'getUploadLimits', uploadLimits),
      ...route(prefix, 'POST', 'uploadVideo', uploadVideo),
      ...route(prefix, 'GET', 'getJobStatus', getJobStatus),
    ]),
    ...route('/video', 'POST', 'startUpload', startUpload),
    ...route('/video', 'POST', 'uploadPart', uploadPart),
    ...route('/video', 'POST', 'finishUpload', finishUpload),
    ...route('/video', 'GET', 'getUploadStatus', getUploadStatus),
    ...route('/video', 'POST', 'abortUpload', abortUpload),
  ];
}

async function uploadLimits(world: World, call: Call): Promise<SimulatorResponse> {
  const account = await serviceAccount(world, bearer(call), { aud: VIDEO_DID, lxm: `${NSID}.getUploadLimits` });
  const { videos, bytes } = await allowance(world, account);
  const full = videos <= 0 || bytes <= 0;
  const why = { error: 'DailyLimitExceeded', message: 'User has exceeded daily upload videos limit' };
  return ok({ canUpload: !full, remainingDailyVideos: videos, remainingDailyBytes: bytes, ...(full ? why : {}) });
}

async function getJobStatus(world: World, { request }: Call): Promise<SimulatorResponse> {
  const job = await settle(world, parameter(request, 'jobId'));
  if (!job) refuse(404, 'JobNotFound', 'There is no such job');
  return ok({ jobStatus: jobStatus(world, job) });
}

async function getUploadStatus(world: World, call: Call): Promise<SimulatorResponse> {
  const account = await uploader(world, call);
  return ok(await uploadStatus(world, await uploadOf(world, account, parameter(call.request, 'jobId'))));
}

async function abortUpload(world: World, call: Call): Promise<SimulatorResponse> {
  const account = await uploader(world, call);
  const upload = await uploadOf(world, account, String((await input(call.request, ['jobId'])).jobId));
  if (upload.state === 'completed') refuse(400, 'UploadAlreadyCompleted', 'The upload is complete');
  await world.options.store.put<Upload>('upload', upload.jobId, { ...upload, state: 'aborted' });
  for (const key of Object.values(upload.parts)) await world.options.blobs.remove(key);
  return ok(await uploadStatus(world, { ...upload, state: 'aborted' }));
}

async function uploadVideo(world: World, call: Call): Promise<SimulatorResponse> {
  const { request } = call;
  const account = await uploader(world, call);
  if (parameter(request, 'did') !== account.did)
    refuse(401, 'AuthenticationRequired', 'The did is not that of the token');
  parameter(request, 'name');
  const length = Number(request.headers['content-length'] ?? 0);
  if (!length) invalid('Content-Length required');
  checkType(request.headers['content-type'] ?? '');
  checkSize(length);
  await checkAllowance(world, account);
  const key = randomText('video-', 16);
  const received = await receive(world, key, request.body, MAX_VIDEO_BYTES);
  if (!received) return refuse(400, 'VideoTooLarge', tooLarge(length));
  const { job, known } = await startJob(world, account, { ...received, keys: [key], token: bearer(call) });
  const status = jobStatus(world, (await settle(world, job.id)) ?? job);
  if (!known) return ok(status);
  return { status: 409, body: { ...status, error: 'already_exists', message: 'Video already processed' } };
}

async function startUpload(world: World, call: Call): Promise<SimulatorResponse> {
  const account = await uploader(world, call);
  const body = await input(call.request, ['sizeBytes', 'mimeType']);
  const sizeBytes = numberAt(body, 'sizeBytes') ?? 0;
  const [width, height] = [numberAt(body, 'width'), numberAt(body, 'height')];
  if (sizeBytes < 1) invalid('integer too small (minimum 1) at $.sizeBytes');
  checkType(textAt(body, 'mimeType'));
  checkSize(sizeBytes);
  if ((numberAt(body, 'durationMs') ?? 0) > 10 * MINUTE)
    refuse(400, 'VideoTooLong', 'The video is longer than 10 minutes');
  // The service publishes no bounds; these are the simulator's own.
  if (width && height && (width / height > 4 || height / width > 4))
    refuse(400, 'BadAspectRatio', 'The aspect ratio is not supported');
  await checkAllowance(world, account);
  const { store, now } = world.options;
  if (world.options.limits) {
    const uploads = await store.list<Upload>('upload', { owner: account.did, limit: 1000 });
    const open = uploads.filter(({ value }) => value.state === 'created' && value.expiresAt > now());
    if (open.length >= OPEN_UPLOADS) refuse(429, 'TooManyOpenUploads', 'Too many uploads are open');
  }
  const upload: Upload = {
    jobId: randomText('', 10),
    did: account.did,
    sizeBytes,
    partCount: Math.ceil(sizeBytes / PART_BYTES),
    expiresAt: now() + DAY,
    state: 'created',
    parts: {},
    completedJobId: null,
  };
  await store.put<Upload>('upload', upload.jobId, upload, account.did);
  const { jobId, partCount, expiresAt } = upload;
  return ok({ jobId, partSizeBytes: PART_BYTES, partCount, expiresAt: new Date(expiresAt).toISOString() });
}

async function uploadPart(world: World, call: Call): Promise<SimulatorResponse> {
  const { request } = call;
  const account = await uploader(world, call);
  const upload = await openUpload(world, account, parameter(request, 'jobId'));
  const number = Number(parameter(request, 'partNumber'));
  if (!Number.isInteger(number) || number < 1 || number > upload.partCount)
    refuse(400, 'InvalidPartNumber', `partNumber must be 1 to ${upload.partCount}`);
  const wanted = number < upload.partCount ? PART_BYTES : upload.sizeBytes - PART_BYTES * (upload.partCount - 1);
  const wrongSize = (got: number) =>
    refuse(400, 'PartSizeMismatch', `Part ${number} must have ${wanted} bytes, got ${got}`);
  const length = Number(request.headers['content-length'] ?? -1);
  if (length !== wanted) wrongSize(length);
  const key = randomText('part-', 16);
  const received = await receive(world, key, request.body, wanted);
  if (received?.size !== wanted) return wrongSize(received?.size ?? length);
  let replaced: string | undefined;
  await world.options.store.change<Upload>('upload', upload.jobId, (known) => {
    replaced = known?.parts[number];
    return known && { ...known, parts: { ...known.parts, [number]: key } };
  });
  if (replaced !== undefined) await world.options.blobs.remove(replaced);
  return ok({ partNumber: number, sizeBytes: wanted });
}

async function finishUpload(world: World, call: Call): Promise<SimulatorResponse> {
  const account = await uploader(world, call);
  const jobId = String((await input(call.request, ['jobId'])).jobId);
  return world.inTurn(`upload ${jobId}`, async () => {
    const upload = await uploadOf(world, account, jobId);
    if (upload.state !== 'completed') {
      const open = await openUpload(world, account, jobId);
      const keys = Array.from({ length: open.partCount }, (_, index) => open.parts[index + 1]);
      const there = keys.filter((key) => key !== undefined);
      if (there.length < keys.length) refuse(400, 'MissingParts', 'Not all parts have been uploaded');
      const { bytes, sha256 } = await world.options.blobs.hash(there);
      const { job } = await startJob(world, account, { keys: there, size: bytes, sha256, token: bearer(call) });
      upload.completedJobId = job.id;
      await world.options.store.put<Upload>('upload', jobId, { ...open, state: 'completed', completedJobId: job.id });
    }
    const job = await settle(world, upload.completedJobId ?? '');
    if (!job) return refuse(400, 'UploadFailed', 'The upload failed');
    return ok({ completedJobId: job.id, jobStatus: jobStatus(world, job) });
  });
}

async function uploadStatus(world: World, upload: Upload): Promise<JsonObject> {
  const { jobId, partCount, completedJobId } = upload;
  const job = completedJobId === null ? undefined : await settle(world, completedJobId);
  const expired = upload.state === 'created' && upload.expiresAt <= world.options.now();
  return {
    jobId,
    partSizeBytes: PART_BYTES,
    partCount,
    receivedParts: Object.keys(upload.parts).map(Number),
    expiresAt: new Date(upload.expiresAt).toISOString(),
    state: expired ? 'expired' : upload.state,
    ...(completedJobId === null ? {} : { completedJobId }),
    ...(job ? { jobStatus: jobStatus(world, job) } : {}),
  };
}

async function uploadOf(world: World, account: Account, jobId: string): Promise<Upload> {
  const upload = await world.options.store.get<Upload>('upload', jobId);
  if (upload?.did !== account.did) refuse(404, 'UploadNotFound', 'There is no such upload');
  return upload;
}

async function openUpload(world: World, account: Account, jobId: string): Promise<Upload> {
  const upload = await uploadOf(world, account, jobId);
  if (upload.state === 'aborted') refuse(400, 'UploadAborted', 'The upload was aborted');
  if (upload.state === 'completed') refuse(400, 'UploadAlreadyCompleted', 'The upload is complete');
  if (upload.expiresAt <= world.options.now()) refuse(400, 'UploadExpired', 'The upload has expired');
  return upload;
}

/** Returns the account whose server issued the token to store a blob. @throws Refused */
function uploader(world: World, call: Call): Promise<Account> {
  return serviceAccount(world, bearer(call), { aud: world.pdsDid, lxm: 'com.atproto.repo.uploadBlob' });
}

function bearer(call: Call): string {
  return bearerToken(call.request) || refuse(401, 'AuthMissing', 'Authentication Required');
}

async function allowance(world: World, account: Account): Promise<{ videos: number; bytes: number }> {
  if (!world.options.limits) return { videos: DAILY_VIDEOS, bytes: DAILY_BYTES };
  const jobs = await world.options.store.list<Job>('job', { owner: account.did, limit: 1000 });
  const today = jobs.filter(({ value }) => value.startedAt > world.options.now() - DAY);
  const bytes = today.reduce((sum, { value }) => sum + value.size, 0);
  return { videos: Math.max(0, DAILY_VIDEOS - today.length), bytes: Math.max(0, DAILY_BYTES - bytes) };
}

async function checkAllowance(world: World, account: Account): Promise<void> {
  const { videos, bytes } = await allowance(world, account);
  if (videos <= 0) refuse(400, 'DailyLimitExceeded', 'User has exceeded daily upload videos limit');
  if (bytes <= 0) refuse(400, 'DailyLimitExceeded', 'User has exceeded daily upload bytes limit');
}

function checkType(mime: string): void {
  if (!INPUTS.includes(mime)) refuse(400, 'UnsupportedContentType', `Unsupported content type: ${mime}`);
}

function checkSize(bytes: number): void {
  if (bytes > MAX_VIDEO_BYTES) refuse(400, 'VideoTooLarge', tooLarge(bytes));
}

function tooLarge(bytes: number): string {
  return `file size (${bytes} bytes) is larger than the maximum allowed size (${MAX_VIDEO_BYTES} bytes)`;
}
