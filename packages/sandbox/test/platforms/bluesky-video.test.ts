import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { at } from '../../src/json.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import type { SimulatorOverrides } from '../harness/simulator.ts';
import { error, type JsonResponse, startBluesky, UPLOAD_BLOB, VIDEO } from './bluesky-raw.ts';

const LIMITS = 'app.bsky.video.getUploadLimits';
const PART = 5 * 1024 * 1024;

const startPds = closedAfterTest(startBluesky);

async function start(overrides: SimulatorOverrides = {}) {
  const pds = await startPds(overrides);
  const service = await pds.serviceToken();
  const video = (method: string, name: string, init: Parameters<typeof pds.call>[2] = {}) =>
    pds.call(method, `/video/xrpc/app.bsky.video.${name}`, { token: service, ...init });
  const upload = (bytes: Uint8Array = VIDEO, init: object = {}) =>
    video('POST', 'uploadVideo', { query: { did: pds.did, name: 'a.mp4' }, bytes, type: 'video/mp4', ...init });
  const job = async (jobId: unknown) =>
    at(
      (await pds.call('GET', '/video/xrpc/app.bsky.video.getJobStatus', { query: { jobId: String(jobId) } })).json,
      'jobStatus',
    );
  const begin = (sizeBytes: number, more: object = {}) =>
    video('POST', 'startUpload', { json: { sizeBytes, mimeType: 'video/mp4', name: 'a.mp4', ...more } });
  const part = (jobId: unknown, partNumber: number, bytes: Uint8Array) =>
    video('POST', 'uploadPart', {
      query: { jobId: String(jobId), partNumber: String(partNumber) },
      bytes,
      type: 'application/octet-stream',
    });
  const finish = (jobId: unknown) => video('POST', 'finishUpload', { json: { jobId } });
  const status = (jobId: unknown) => video('GET', 'getUploadStatus', { query: { jobId: String(jobId) } });
  return { ...pds, video, upload, job, begin, part, finish, status };
}

describe('simulated Bluesky upload in one request', () => {
  test('runs the job through its states to a usable blob', async () => {
    const { upload, job, clock, put, recordOf, did, published } = await start({ processingMs: 7000 });
    const { status, json } = await upload();
    expect(status).toBe(200);
    expect(json).toMatchObject({ did, state: 'JOB_STATE_CREATED' });
    const seen: unknown[] = [];
    for (let i = 0; i < 7; i++) {
      seen.push(at(await job(json.jobId), 'state'));
      clock.now += 1000;
    }
    expect(seen).toEqual(
      ['CREATED', 'ENCODING', 'ENCODED', 'SCANNING', 'SCANNED', 'UPLOADING', 'UPLOADED'].map(
        (state) => `JOB_STATE_${state}`,
      ),
    );
    const done = await job(json.jobId);
    expect(done).toMatchObject({
      state: 'JOB_STATE_COMPLETED',
      progress: 100,
      blob: { $type: 'blob', size: VIDEO.length },
    });
    expect((await put(recordOf(at(done, 'blob')))).status).toBe(200);
    expect((await published())[0]?.sha256).toBe(createHash('sha256').update(VIDEO).digest('hex'));
  });

  test('returns 409 with the existing job for the same bytes', async () => {
    const { upload, clock } = await start({ processingMs: 1000 });
    const first = (await upload()).json;
    const again = await upload();
    expect(error(again)).toEqual([409, 'already_exists']);
    expect(again.json).toMatchObject({ jobId: first.jobId, state: 'JOB_STATE_CREATED' });
    clock.now += 1000;
    expect((await upload()).json).toMatchObject({
      jobId: first.jobId,
      state: 'JOB_STATE_COMPLETED',
      blob: { $type: 'blob' },
    });
    expect((await upload(Buffer.from('other bytes'))).status).toBe(200);
  });

  test('creates a new job after the blob was deleted', async () => {
    const { upload, job, put, recordOf, newKey, post, token, did } = await start();
    const first = (await upload()).json;
    const rkey = newKey();
    await put(recordOf(at(await job(first.jobId), 'blob')), { rkey });
    await post('com.atproto.repo.deleteRecord', { token, json: { repo: did, collection: 'app.bsky.feed.post', rkey } });
    const again = await upload();
    expect(again.status).toBe(200);
    expect(again.json.jobId).not.toBe(first.jobId);
    expect((await put(recordOf(at(await job(again.json.jobId), 'blob')))).status).toBe(200);
  });

  test('fails the job when the token expires before the end', async () => {
    const { upload, job, clock, serviceToken } = await start({ processingMs: 20_000 });
    const { json } = await upload(VIDEO, { token: await serviceToken(UPLOAD_BLOB, 'did:web:localhost', 10) });
    clock.now += 20_000;
    expect(await job(json.jobId)).toMatchObject({ state: 'JOB_STATE_FAILED', failureCode: 'pds_upload_failure' });
    expect((await upload()).status).toBe(200);
  });

  test('rejects invalid tokens, types, names, and jobs', async () => {
    const { upload, call, serviceToken, did } = await start();
    expect(error(await upload(VIDEO, { token: '' }))).toEqual([401, 'AuthMissing']);
    expect(error(await upload(VIDEO, { token: await serviceToken(LIMITS) }))).toEqual([401, 'BadJwtLexiconMethod']);
    expect(error(await upload(VIDEO, { token: await serviceToken(UPLOAD_BLOB, 'did:web:bsky.social') }))).toEqual([
      401,
      'BadJwtAudience',
    ]);
    expect(error(await upload(VIDEO, { query: { did: 'did:plc:other', name: 'a' } }))).toEqual([
      401,
      'AuthenticationRequired',
    ]);
    expect(error(await upload(VIDEO, { query: { did } }))).toEqual([400, 'InvalidRequest']);
    expect(error(await upload(VIDEO, { type: 'video/x-matroska' }))).toEqual([400, 'UnsupportedContentType']);
    const unknown = await call('GET', '/video/xrpc/app.bsky.video.getJobStatus', { query: { jobId: 'x' } });
    expect(error(unknown)).toEqual([404, 'JobNotFound']);
  });
});

describe('simulated Bluesky upload in parts', () => {
  const film = Buffer.alloc(PART + 1000, 'film');

  test('accepts parts in any order and repeatedly', async () => {
    const { begin, part, finish, status, job, put, recordOf, published } = await start();
    const { json } = await begin(film.length, { durationMs: 31_000, width: 1080, height: 1920 });
    expect(json).toMatchObject({ partSizeBytes: PART, partCount: 2, expiresAt: expect.any(String) });
    expect((await part(json.jobId, 2, film.subarray(PART))).json).toEqual({ partNumber: 2, sizeBytes: 1000 });
    expect(error(await finish(json.jobId))).toEqual([400, 'MissingParts']);
    await part(json.jobId, 1, film.subarray(0, PART));
    await part(json.jobId, 1, film.subarray(0, PART));
    expect((await status(json.jobId)).json).toMatchObject({ state: 'created', receivedParts: [1, 2] });
    const finished = await finish(json.jobId);
    expect(finished.status).toBe(200);
    expect(await finish(json.jobId).then((response) => response.json)).toEqual(finished.json);
    const blob = at(await job(finished.json.completedJobId), 'blob');
    expect((await put(recordOf(blob))).status).toBe(200);
    expect(await published()).toMatchObject([
      {
        bytes: film.length,
        sha256: createHash('sha256').update(film).digest('hex'),
        blobs: [expect.any(String), expect.any(String)],
      },
    ]);
    expect((await status(json.jobId)).json).toMatchObject({
      state: 'completed',
      completedJobId: finished.json.completedJobId,
    });
  });

  test('returns the first job for the same bytes', async () => {
    const { begin, part, finish } = await start({ processingMs: 1000 });
    const ids: unknown[] = [];
    for (let i = 0; i < 2; i++) {
      const { json } = await begin(VIDEO.length);
      await part(json.jobId, 1, VIDEO);
      ids.push((await finish(json.jobId)).json.completedJobId);
    }
    expect(ids[1]).toBe(ids[0]);
  });

  test.each([
    ['too large', { sizeBytes: 300_000_001 }, 'VideoTooLarge'],
    ['too long', { durationMs: 600_001 }, 'VideoTooLong'],
    ['of another type', { mimeType: 'video/x-matroska' }, 'UnsupportedContentType'],
    ['of an extreme shape', { width: 100, height: 1000 }, 'BadAspectRatio'],
    ['empty', { sizeBytes: 0 }, 'InvalidRequest'],
  ])('rejects a video that is %s before the first byte', async (_name, change, code) => {
    const { begin } = await start();
    expect(error(await begin(1000, change))).toEqual([400, code]);
  });

  test('rejects wrong part numbers, lengths, and unknown uploads', async () => {
    const { begin, part, finish } = await start();
    const { json } = await begin(VIDEO.length);
    expect(error(await part(json.jobId, 2, VIDEO))).toEqual([400, 'InvalidPartNumber']);
    expect(error(await part(json.jobId, 1, VIDEO.subarray(1)))).toEqual([400, 'PartSizeMismatch']);
    expect(error(await part('nothing', 1, VIDEO))).toEqual([404, 'UploadNotFound']);
    expect(error(await finish('nothing'))).toEqual([404, 'UploadNotFound']);
  });

  test('ends by finish, by abort, or after a day', async () => {
    const { begin, part, finish, video, clock, login, serviceToken } = await start();
    const first = (await begin(VIDEO.length)).json.jobId;
    await part(first, 1, VIDEO);
    await finish(first);
    expect(error(await part(first, 1, VIDEO))).toEqual([400, 'UploadAlreadyCompleted']);
    const second = (await begin(VIDEO.length)).json.jobId;
    expect((await video('POST', 'abortUpload', { json: { jobId: second } })).json).toMatchObject({ state: 'aborted' });
    expect(error(await part(second, 1, VIDEO))).toEqual([400, 'UploadAborted']);
    expect(error(await video('POST', 'abortUpload', { json: { jobId: first } }))).toEqual([
      400,
      'UploadAlreadyCompleted',
    ]);
    const third = (await begin(VIDEO.length)).json.jobId;
    clock.now += 86_400_000;
    const { access } = await login();
    const token = await serviceToken(UPLOAD_BLOB, 'did:web:localhost', 1800, access);
    expect((await video('GET', 'getUploadStatus', { query: { jobId: String(third) }, token })).json.state).toBe(
      'expired',
    );
    const query = { jobId: String(third), partNumber: '1' };
    expect(
      error(await video('POST', 'uploadPart', { query, bytes: VIDEO, type: 'application/octet-stream', token })),
    ).toEqual([400, 'UploadExpired']);
  });
});

describe('simulated Bluesky upload limits', () => {
  const limitsOf = async (pds: Awaited<ReturnType<typeof start>>): Promise<JsonResponse> =>
    pds.video('GET', 'getUploadLimits', { token: await pds.serviceToken(LIMITS, 'did:web:video.bsky.app') });

  test('decrease with each video and end at the cap', async () => {
    const pds = await start({ limits: true });
    expect((await limitsOf(pds)).json).toMatchObject({ canUpload: true, remainingDailyVideos: 25 });
    for (let i = 0; i < 25; i++) await pds.upload(Buffer.from(`film ${i}`));
    expect((await limitsOf(pds)).json).toMatchObject({
      canUpload: false,
      remainingDailyVideos: 0,
      error: 'DailyLimitExceeded',
    });
    expect(error(await pds.upload(Buffer.from('one more')))).toEqual([400, 'DailyLimitExceeded']);
    expect(error(await pds.begin(10))).toEqual([400, 'DailyLimitExceeded']);
  });

  test('allow at most ten open uploads', async () => {
    const pds = await start({ limits: true });
    for (let i = 0; i < 10; i++) expect((await pds.begin(10)).status).toBe(200);
    expect(error(await pds.begin(10))).toEqual([429, 'TooManyOpenUploads']);
  });

  test('require a token for the video service and method', async () => {
    const pds = await start();
    expect(error(await pds.video('GET', 'getUploadLimits'))).toEqual([401, 'BadJwtAudience']);
    expect(error(await pds.call('GET', '/video/xrpc/app.bsky.video.nothing'))).toEqual([501, 'MethodNotImplemented']);
  });
});
