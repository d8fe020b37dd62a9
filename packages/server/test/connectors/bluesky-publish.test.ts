import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/bluesky/index.ts';
import { timeOfTid } from '../../src/connectors/bluesky/record.ts';
import type { JsonObject } from '../../src/connectors/contract.ts';
import { at, textAt } from '../../src/connectors/kit/json.ts';
import type { HttpRequest } from '../../src/outbound/http-client.ts';
import {
  type Bluesky,
  commit,
  HANDLE,
  isMethod,
  isPut,
  prepare,
  publish,
  ready,
  startBluesky,
} from './bluesky-driver.ts';
import { videoOf } from './films.ts';
import { failureOf } from './walk.ts';

const start = closedAfterTest(startBluesky);

const FILM = Buffer.alloc(11_000_000, 'a film that goes in parts ');
const sha256 = createHash('sha256').update(FILM).digest('hex');
const paths = (bluesky: Bluesky, from = 0) =>
  bluesky.requests.slice(from).map(({ path }) => path.split('?')[0]?.split('.').at(-1) ?? '');

describe('Bluesky publish by the video service', () => {
  test('uploads parts, waits for processing, and posts the video', async () => {
    const bluesky = await start({ processingMs: 20_000 });
    const work = await bluesky.work('Sunset run #sea', { media: videoOf(FILM) });
    const before = bluesky.requests.length;
    const { published } = await publish(bluesky, work);
    expect(paths(bluesky, before).filter((name) => name === 'uploadPart')).toHaveLength(3);
    expect(paths(bluesky, before).filter((name) => name === 'getServiceAuth')).toHaveLength(2);
    const [entry] = await bluesky.published();
    expect(entry).toMatchObject({ username: HANDLE, text: 'Sunset run #sea', bytes: FILM.length, sha256 });
    expect(published).toEqual({ remoteId: entry?.id, url: entry?.url, publishedAt: entry?.publishedAt });
    expect(bluesky.spent).toEqual(['writes', 'writes-daily']);
  });

  test('writes the record in the required format', async () => {
    const bluesky = await start();
    const text = `👩‍👩‍👧‍👦 with @${HANDLE} and @nobody.test #ים https://clip.example`;
    const work = await bluesky.work(text);
    const checkpoint = await ready(bluesky, work);
    await commit(bluesky, work, checkpoint);
    const record = await bluesky.record(textAt(checkpoint, 'frozen', 'rkey'));
    expect(record).toMatchObject({
      $type: 'app.bsky.feed.post',
      text,
      createdAt: new Date(bluesky.clock.now).toISOString(),
      embed: {
        $type: 'app.bsky.embed.video',
        video: { $type: 'blob', mimeType: 'video/mp4', size: 200_000 },
        aspectRatio: { width: 1080, height: 1920 },
      },
    });
    const features = (at(record, 'facets') as JsonObject[]).map((facet) => at(facet, 'features', 0));
    expect(features).toEqual([
      { $type: 'app.bsky.richtext.facet#mention', did: bluesky.did },
      { $type: 'app.bsky.richtext.facet#tag', tag: 'ים' },
      { $type: 'app.bsky.richtext.facet#link', uri: 'https://clip.example' },
    ]);
    expect(record).not.toHaveProperty('langs');
    expect(timeOfTid(textAt(checkpoint, 'frozen', 'rkey'))).toBe(bluesky.clock.now);
  });

  test('continues with the next part after a restart', async () => {
    const bluesky = await start();
    const work = await bluesky.work('x', { media: videoOf(FILM) });
    const { checkpoints } = await prepare(bluesky, work);
    const afterTwoParts = checkpoints.find((one) => at(one, 'upload', 'nextPart') === 3);
    const before = bluesky.requests.length;
    await ready(bluesky, work, afterTwoParts);
    expect(paths(bluesky, before)).toContain('finishUpload');
    expect(paths(bluesky, before)).not.toContain('startUpload');
  });

  test('uploads in one request and reuses a known video', async () => {
    const bluesky = await start({ processingMs: 3_000 });
    bluesky.faults.add({ when: isMethod('startUpload'), fault: { kind: 'status', answer: { status: 501 } } });
    await publish(bluesky, await bluesky.work('one', { media: videoOf(FILM) }));
    const before = bluesky.requests.length;
    await publish(bluesky, await bluesky.work('two', { media: videoOf(FILM) }));
    const upload = bluesky.requests.slice(before).find(isMethod('uploadVideo'));
    expect(upload?.status).toBe(409);
    expect((await bluesky.published()).map((entry) => entry.sha256)).toEqual([sha256, sha256]);
  });

  test('polls with growing delays and reads both response formats', async () => {
    const bluesky = await start({ processingMs: 600_000 });
    const work = await bluesky.work();
    const waits: number[] = [];
    let result = await connector.begin(work);
    while (result.then === 'continue') {
      if (result.afterMs) waits.push(result.afterMs);
      bluesky.clock.now += result.afterMs ?? 0;
      result = await connector.step(work, result.checkpoint);
    }
    expect(waits[0]).toBe(1_500);
    expect(Math.max(...waits)).toBe(15_000);
    expect([...waits].sort((a, b) => a - b)).toEqual(waits);
    expect(waits.length).toBeLessThan(70);
  });

  test.each([
    ['the video', 'encoding_failure', 'rejected'],
    ['the size of the result', 'pds_upload_unsupported_blob_size', 'rejected'],
  ])('fails the post when a job fails for %s', async (_name, failureCode, kind) => {
    const bluesky = await start();
    const jobStatus = { jobId: 'x', state: 'JOB_STATE_FAILED', failureCode, message: 'no' };
    bluesky.faults.add({
      when: isMethod('finishUpload'),
      fault: { kind: 'status', answer: { status: 200, body: { completedJobId: 'x', jobStatus } } },
    });
    const { result } = await prepare(bluesky, await bluesky.work());
    expect(result).toMatchObject({ then: 'failed', failure: { kind, what: 'video', platformCode: failureCode } });
  });

  test('restarts a job after service failures, at most three times', async () => {
    const bluesky = await start();
    const body = {
      completedJobId: 'x',
      jobStatus: { jobId: 'x', state: 'JOB_STATE_FAILED', failureCode: 'generic_failure' },
    };
    const fault = { kind: 'status', answer: { status: 200, body } } as const;
    const handle = bluesky.faults.add({ when: isMethod('finishUpload'), times: 3, fault });
    await publish(bluesky, await bluesky.work());
    expect(handle.hits()).toBe(3);
    bluesky.faults.add({ when: isMethod('finishUpload'), fault });
    const { result } = await prepare(bluesky, await bluesky.work());
    expect(result).toMatchObject({ then: 'failed', failure: { kind: 'transient' } });
  });

  test('restarts when an upload or a job is lost', async () => {
    const bluesky = await start({ processingMs: 1_000 });
    const gone = (error: string, status: number) => ({ kind: 'status', answer: { status, body: { error } } }) as const;
    bluesky.faults.add({ when: isMethod('uploadPart'), times: 1, fault: gone('UploadExpired', 400) });
    bluesky.faults.add({ when: isMethod('getJobStatus'), times: 1, fault: gone('JobNotFound', 404) });
    await publish(bluesky, await bluesky.work());
    expect(bluesky.requests.filter(isMethod('startUpload'))).toHaveLength(3);
  });

  test.each([
    ['DailyLimitExceeded', { kind: 'rateLimited', window: 'daily' }],
    ['VideoTooLong', { kind: 'rejected', what: 'video' }],
    ['BadAspectRatio', { kind: 'rejected', what: 'video' }],
    ['AuthenticationRequired', { kind: 'transient' }],
  ])('handles the error %s of the video service', async (error, failure) => {
    const bluesky = await start();
    const response = { status: 400, body: { error } };
    bluesky.faults.add({ when: isMethod('startUpload'), fault: { kind: 'status', answer: response } });
    const { result } = await prepare(bluesky, await bluesky.work());
    expect(result).toMatchObject({ then: 'failed', failure });
  });

  test('rejects an upload whose parts do not add up', async () => {
    const bluesky = await start();
    const response = { status: 200, body: { jobId: 'x', partSizeBytes: 5, partCount: 1 } };
    bluesky.faults.add({ when: isMethod('startUpload'), fault: { kind: 'status', answer: response } });
    const { result } = await prepare(bluesky, await bluesky.work());
    expect(result).toMatchObject({ then: 'failed', failure: { kind: 'transient' } });
  });

  test('reuses a service token while it is valid', async () => {
    const bluesky = await start();
    const work = await bluesky.work('x', { media: videoOf(FILM) });
    const { checkpoints } = await prepare(bluesky, work);
    const parts = checkpoints.find((one) => at(one, 'upload', 'nextPart') === 2);
    bluesky.clock.now += 29 * 60_000;
    const before = bluesky.requests.length;
    await connector.step(work, parts ?? {});
    expect(paths(bluesky, before)).toEqual(['getServiceAuth', 'uploadPart']);
  });
});

describe("Bluesky publish by the account's own server", () => {
  test('uploads the video as one blob', async () => {
    const bluesky = await start({ video: false });
    const before = bluesky.requests.length;
    await publish(bluesky, await bluesky.work('Sunset run', { media: videoOf(FILM) }));
    expect(paths(bluesky, before)).toContain('uploadBlob');
    expect((await bluesky.published())[0]).toMatchObject({ sha256, bytes: FILM.length });
    expect(bluesky.spent).toEqual(['blobs', 'writes', 'writes-daily']);
  });

  test('rejects a file over the limit without a call', async () => {
    const bluesky = await start({ video: false });
    const work = await bluesky.work('x', { media: videoOf(FILM, { bytes: 52_428_801 }) });
    const before = bluesky.requests.length;
    const { result } = await prepare(bluesky, work);
    expect(result).toMatchObject({ then: 'failed', failure: { kind: 'rejected', what: 'video' } });
    expect(bluesky.requests).toHaveLength(before);
  });

  test('rejects a file that the server detects as another type', async () => {
    const bluesky = await start({ video: false });
    const blob = { $type: 'blob', ref: { $link: 'bafkrei' }, mimeType: 'video/quicktime', size: 5 };
    bluesky.faults.add({
      when: isMethod('uploadBlob'),
      fault: { kind: 'status', answer: { status: 200, body: { blob } } },
    });
    const { result } = await prepare(bluesky, await bluesky.work());
    expect(result).toMatchObject({ then: 'failed', failure: { kind: 'rejected', what: 'video' } });
  });

  test('sends nothing when the file cannot be read', async () => {
    const bluesky = await start({ video: false });
    const stream = () => Promise.reject(new Error('The storage is away.'));
    const work = await bluesky.work('x', { media: videoOf(FILM, { stream }) });
    await expect(prepare(bluesky, work)).rejects.toThrow('The storage is away.');
  });
});

describe('Bluesky checks before the upload', () => {
  test('reject 301 characters and accept 300 long ones', async () => {
    const bluesky = await start();
    const { result } = await prepare(bluesky, await bluesky.work('a'.repeat(301)));
    expect(result).toMatchObject({ then: 'failed', failure: { kind: 'rejected', what: 'caption' } });
    await publish(bluesky, await bluesky.work('e\u0301'.repeat(300)));
    const bytes = await prepare(bluesky, await bluesky.work('👩‍👩‍👧‍👦'.repeat(121)));
    expect(bytes.result).toMatchObject({ then: 'failed', failure: { kind: 'rejected', what: 'caption' } });
  });

  test("report an unconfirmed email address on Bluesky's hosts", async () => {
    const bluesky = await start();
    const work = await bluesky.work();
    const extra = { ...work.session.extra, emailConfirmed: false };
    const at = (service: string) => connector.begin({ ...work, session: { ...work.session, extra, service } });
    expect(await at('https://morel.us-east.host.bsky.network')).toMatchObject({
      then: 'failed',
      failure: { kind: 'setup' },
    });
    expect(await at(work.session.service)).toMatchObject({ then: 'continue' });
  });

  test('keep slow mentions as text and retry an unreachable server', async () => {
    const bluesky = await start();
    const work = await bluesky.work(`with @${HANDLE}`);
    const fast = {
      ...work.session,
      http: (request: HttpRequest) => work.session.http({ ...request, deadlineMs: 500 }),
    };
    bluesky.faults.add({ when: isMethod('resolveHandle'), times: 1, fault: { kind: 'timeout-before' } });
    expect(await connector.begin({ ...work, session: fast })).toMatchObject({ checkpoint: { mentions: {} } });
    bluesky.faults.add({ when: isMethod('resolveHandle'), times: 1, fault: { kind: 'reset-before' } });
    await expect(connector.begin(work)).rejects.toThrow('reset');
    expect(await connector.begin(work)).toMatchObject({ checkpoint: { mentions: { [HANDLE]: bluesky.did } } });
  });

  test('restart when the file differs from the checkpoint', async () => {
    const bluesky = await start();
    const work = await bluesky.work();
    const checkpoint = await ready(bluesky, work);
    const other = { ...work, media: videoOf(Buffer.from('other bytes')) };
    expect(await connector.step(other, checkpoint)).toMatchObject({ checkpoint: { phase: 'upload', frozen: null } });
  });
});

describe('Bluesky publish with DPoP-bound tokens', () => {
  test('sends proofs, and a fresh nonce with the write', async () => {
    const bluesky = await start();
    const work = await bluesky.work('Sunset run', { tokens: await bluesky.oauth(), media: videoOf(FILM) });
    const checkpoint = await ready(bluesky, work);
    bluesky.clock.now += 10 * 60_000;
    const before = bluesky.requests.length;
    expect(await commit(bluesky, work, checkpoint)).toMatchObject({ kind: 'done' });
    expect(bluesky.requests.slice(before).map(({ path, status }) => [path.split('.').at(-1), status])).toEqual([
      ['getSession', 401],
      ['getSession', 200],
      ['putRecord', 200],
    ]);
    expect(await bluesky.published()).toHaveLength(1);
  });

  test('fetches a nonce before uploading a blob', async () => {
    const bluesky = await start({ video: false });
    await publish(bluesky, await bluesky.work('x', { tokens: await bluesky.oauth() }));
    expect(bluesky.requests.filter(isMethod('uploadBlob')).map(({ status }) => status)).toEqual([200]);
  });

  test('is certain to have no effect when the nonce changes', async () => {
    const bluesky = await start();
    const work = await bluesky.work('x', { tokens: await bluesky.oauth() });
    const checkpoint = await ready(bluesky, work);
    const request = await connector.commit.request(work, checkpoint);
    bluesky.clock.now += 6 * 60_000;
    const response = await bluesky.http.irreversible(request, { permit: () => true });
    expect(connector.commit.codeOf(response)).toMatch(/use_dpop_nonce|invalid_dpop_proof/);
    expect(response.status).toBe(401);
    expect(await bluesky.published()).toEqual([]);
    expect(await commit(bluesky, work, checkpoint)).toMatchObject({ kind: 'done' });
  });

  test('detects an invalid token before the write', async () => {
    const bluesky = await start();
    const work = await bluesky.work('x', { tokens: await bluesky.oauth() });
    const checkpoint = await ready(bluesky, work);
    const frozen = { ...(at(checkpoint, 'frozen') as JsonObject), at: bluesky.clock.now + 3_600_000 };
    bluesky.clock.now += 3_600_000;
    const failure = await failureOf(connector.commit.request(work, { ...checkpoint, frozen }));
    expect(failure).toMatchObject({ kind: 'tokenExpired' });
    expect(bluesky.requests.filter(isPut)).toEqual([]);
  });
});
