import type { Fault } from '@reelay/sandbox/faults/faults.ts';
import { SETTINGS } from '@reelay/sandbox/platforms/bluesky/accounts.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { connector } from '../../src/connectors/bluesky/index.ts';
import { at } from '../../src/connectors/kit/json.ts';
import { type Bluesky, isMethod, prepare, publish, startBluesky } from './bluesky-driver.ts';
import { videoOf } from './films.ts';

const start = closedAfterTest(startBluesky);

const FILM = Buffer.alloc(11_000_000, 'a film that goes in parts ');
const refusal = (error: string, status = 400): Fault => ({ kind: 'status', answer: { status, body: { error } } });
const count = (bluesky: Bluesky, name: string) => bluesky.requests.filter(isMethod(name)).length;
const states = async ({ store }: Bluesky) =>
  (await store.list<{ state: string }>('upload', { limit: 50 })).map(({ value }) => value.state);

describe('Bluesky upload in parts', () => {
  test.each([
    refusal('ServiceOverloaded', 503),
    refusal('TooManyOpenUploads', 429),
    refusal('UploadForbidden', 403),
    refusal('InvalidRequest'),
    { kind: 'garbage', acted: false, status: 403 } as const,
    refusal('MethodNotImplemented', 501),
  ])('becomes one request when it is refused with %j', async (fault) => {
    const bluesky = await start();
    const refused = bluesky.faults.add({ when: isMethod('startUpload'), fault });
    await publish(bluesky, await bluesky.work('x', { media: videoOf(FILM) }));
    expect([refused.hits(), count(bluesky, 'uploadVideo'), count(bluesky, 'uploadPart')]).toEqual([1, 1, 0]);
    expect(await bluesky.published()).toHaveLength(1);
  });

  test('becomes one request after refusals, and is aborted', async () => {
    const bluesky = await start();
    const refused = bluesky.faults.add({ when: isMethod('uploadPart'), fault: refusal('ServiceOverloaded', 503) });
    const { notes } = await prepare(bluesky, await bluesky.work('x', { media: videoOf(FILM) }));
    expect([refused.hits(), count(bluesky, 'abortUpload'), count(bluesky, 'uploadVideo')]).toEqual([4, 1, 1]);
    expect(await states(bluesky)).toEqual(['aborted']);
    expect(notes.join(' ')).toContain('ServiceOverloaded');
  });

  test('repeats a part that is refused once', async () => {
    const bluesky = await start();
    bluesky.faults.add({ when: isMethod('uploadPart'), times: 1, fault: refusal('ServiceOverloaded', 503) });
    await publish(bluesky, await bluesky.work('x', { media: videoOf(FILM) }));
    expect([count(bluesky, 'uploadPart'), count(bluesky, 'uploadVideo')]).toEqual([4, 0]);
  });

  test('sends only the parts that the service lacks', async () => {
    const bluesky = await start();
    const work = await bluesky.work('x', { media: videoOf(FILM) });
    const { checkpoints } = await prepare(bluesky, work);
    const finished = checkpoints.find((one) => at(one, 'upload', 'nextPart') === 4);
    const jobId = String(at(finished, 'upload', 'jobId'));
    await bluesky.store.change<{ parts: object }>('upload', jobId, (known) => {
      const { '2': _lost, ...parts } = (known?.parts ?? {}) as Record<string, string>;
      return known && { ...known, parts, state: 'created' };
    });
    const before = count(bluesky, 'startUpload');
    const { result, notes } = await prepare(bluesky, work, finished);
    expect([result.then, count(bluesky, 'startUpload')]).toEqual(['commit', before]);
    expect(notes).toContain('The video service lacks part 2. Sending it again.');
  });

  test('ends with a verdict on the video, and is aborted', async () => {
    const bluesky = await start();
    bluesky.faults.add({ when: isMethod('finishUpload'), fault: refusal('UnsupportedContentType') });
    const { result } = await prepare(bluesky, await bluesky.work('x', { media: videoOf(FILM) }));
    expect(result).toMatchObject({ then: 'failed', failure: { kind: 'rejected', what: 'video' } });
    expect([await states(bluesky), count(bluesky, 'uploadVideo')]).toEqual([['aborted'], 0]);
  });

  test('is aborted when the post gets another file', async () => {
    const bluesky = await start();
    const work = await bluesky.work('x', { media: videoOf(FILM) });
    const begun = await connector.begin(work);
    const opened = begun.then === 'continue' ? await connector.step(work, begun.checkpoint) : begun;
    bluesky.faults.add({ when: isMethod('abortUpload'), times: 1, fault: { kind: 'reset-after' } });
    const other = { ...work, media: videoOf(Buffer.from('other bytes')) };
    const result = opened.then === 'continue' ? await connector.step(other, opened.checkpoint) : opened;
    expect(result).toMatchObject({ then: 'continue', checkpoint: { phase: 'upload', upload: null } });
    expect(await states(bluesky)).toEqual(['aborted']);
  });

  test('waits until tomorrow when the daily limit is a 429', async () => {
    const bluesky = await start();
    bluesky.faults.add({ when: isMethod('startUpload'), fault: refusal('DailyLimitExceeded', 429) });
    const { result } = await prepare(bluesky, await bluesky.work());
    expect(result).toMatchObject({ failure: { kind: 'rateLimited', window: 'daily' } });
  });
});

describe("Bluesky upload to the account's own server", () => {
  test.each([{ limitUntold: true }, {}])('asks for a smaller file after 413 with %j', async (settings) => {
    const bluesky = await start({ video: false });
    const work = await bluesky.work('x', { media: videoOf(FILM) });
    await bluesky.store.put(...SETTINGS, { blobLimit: 5_242_880, ...settings });
    const { result } = await prepare(bluesky, work);
    expect(result).toMatchObject({ then: 'failed', failure: { kind: 'rejected', maxBytes: 5_242_880 } });
    const smaller = await prepare(bluesky, { ...work, media: videoOf(FILM.subarray(0, 5_242_880)) });
    expect(smaller.result.then).toBe('commit');
  });

  test('rejects a file that even the smallest usual limit allows', async () => {
    const bluesky = await start({ video: false });
    const work = await bluesky.work('x', { media: videoOf(FILM.subarray(0, 5_000_000)) });
    await bluesky.store.put(...SETTINGS, { blobLimit: 1_000_000, limitUntold: true });
    const { result } = await prepare(bluesky, work);
    expect(result).toMatchObject({ then: 'failed', failure: { kind: 'rejected', what: 'video', status: 413 } });
    expect(result).not.toHaveProperty('failure.maxBytes');
  });

  test('reads a limit that the server tells', async () => {
    const bluesky = await start({ video: false });
    await bluesky.store.put(...SETTINGS, { blobLimit: 5_242_880 });
    expect((await connector.identify(bluesky.context, await bluesky.login())).capabilities?.video.maxBytes).toBe(
      5_242_880,
    );
  });
});
