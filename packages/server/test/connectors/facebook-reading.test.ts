import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failureOf, tokenFailure, transferRefusal } from '../../src/connectors/facebook/classify.ts';
import { connector } from '../../src/connectors/facebook/index.ts';
import { readStatus, uploadOf } from '../../src/connectors/facebook/status.ts';
import { isLike } from '../../src/connectors/facebook/verify.ts';
import type { HttpResponse } from '../../src/outbound/http-client.ts';
import { provenBy } from '../../src/publishing/send.ts';
import { graphError as said } from './graph-responses.ts';
import { responseOf } from './odd-responses.ts';

describe('error responses', () => {
  test.each([
    [190, undefined, { kind: 'tokenExpired' }],
    [190, 463, { kind: 'tokenExpired' }],
    [190, 467, { kind: 'tokenExpired' }],
    [102, undefined, { kind: 'tokenExpired' }],
    [190, 458, { kind: 'reconnect' }],
    [190, 459, { kind: 'reconnect' }],
    [190, 460, { kind: 'reconnect' }],
    [190, 464, { kind: 'reconnect' }],
    [190, 492, { kind: 'reconnect' }],
    [10, undefined, { kind: 'reconnect' }],
    [3, undefined, { kind: 'reconnect' }],
    [200, undefined, { kind: 'reconnect' }],
    [299, undefined, { kind: 'reconnect' }],
    [100, undefined, { kind: 'rejected', what: 'other' }],
    [1, undefined, { kind: 'transient' }],
    [2, undefined, { kind: 'transient' }],
    [4, undefined, { kind: 'rateLimited', scope: 'app' }],
    [17, undefined, { kind: 'rateLimited', scope: 'account' }],
    [32, undefined, { kind: 'rateLimited' }],
    [341, undefined, { kind: 'rateLimited' }],
    [613, undefined, { kind: 'rateLimited' }],
    [80_001, undefined, { kind: 'rateLimited' }],
    [368, undefined, { kind: 'rateLimited' }],
    [368, 1_390_008, { kind: 'rateLimited', window: 'daily' }],
    [368, 4_854_002, { kind: 'setup' }],
    [368, 1_404_082, { kind: 'rejected', what: 'duplicate' }],
    [506, undefined, { kind: 'rejected', what: 'duplicate' }],
    [1_363_040, undefined, { kind: 'rejected', what: 'video' }],
    [100, 1_363_127, { kind: 'rejected', what: 'video' }],
    [1_363_128, undefined, { kind: 'rejected', what: 'video' }],
    [352, 1_363_129, { kind: 'rejected', what: 'video' }],
    [1_363_047, undefined, { kind: 'transient' }],
    [100, 1_609_010, { kind: 'transient' }],
    [1_363_030, undefined, { kind: 'transient' }],
    [6000, 1_363_130, { kind: 'transient', waitMs: 10_000 }],
    [1_346_003, undefined, { kind: 'rejected', what: 'policy' }],
    [368, 1_404_102, { kind: 'rejected', what: 'policy' }],
    [10, 1_404_078, { kind: 'setup' }],
    [1_404_112, undefined, { kind: 'setup' }],
    [1_404_006, undefined, { kind: 'setup' }],
    [99_999, undefined, { kind: 'rejected', what: 'other' }],
  ] as const)('%i/%s', (code, subcode, expected) => {
    const platformCode = subcode ? `${code}/${subcode}` : String(code);
    expect(failureOf(said(code, subcode))).toMatchObject({
      ...expected,
      platformCode,
      requestId: 'Atrace',
      status: 400,
    });
  });

  test.each([
    [400, '<html>Just a moment</html>'],
    [500, ''],
    [502, 'Bad gateway'],
    [200, '[]'],
    [403, '{"error":"blocked"}'],
  ])('%i without an API error body is temporary', (status, body) => {
    expect(failureOf(responseOf(status, body))).toMatchObject({ kind: 'transient' });
  });

  test('respects the wait stated by the usage header', () => {
    const usage = { '104': [{ type: 'pages', call_count: 100, estimated_time_to_regain_access: 7 }] };
    const headers = { 'x-business-use-case-usage': JSON.stringify(usage) };
    expect(failureOf(responseOf(400, { error: { code: 80_001 } }, headers))).toMatchObject({ waitMs: 420_000 });
  });

  test.each([
    [100, 36_007, 'reconnect'],
    [100, 36_009, 'reconnect'],
    [190, undefined, 'reconnect'],
    [190, 463, 'reconnect'],
    [100, 36_008, 'setup'],
    [100, undefined, 'setup'],
    [101, undefined, 'setup'],
    [2, undefined, 'transient'],
    [4, undefined, 'rateLimited'],
  ])('token endpoint: %i/%s', (code, subcode, kind) => {
    expect(tokenFailure(said(code, subcode))).toMatchObject({ kind });
  });

  test('token endpoint: code 1 depends on the message', () => {
    expect(tokenFailure(said(1, undefined, 'Error validating client secret.'))).toMatchObject({ kind: 'setup' });
    expect(tokenFailure(said(1))).toMatchObject({ kind: 'transient' });
  });

  test('removes tokens and URLs from messages', () => {
    const token = `EAA${'x'.repeat(60)}`;
    const words = `Bad token ${token} see https://graph.facebook.com/?access_token=${token}`;
    for (const failure of [
      failureOf(said(100, undefined, words)),
      failureOf(said(190, 458, words)),
      tokenFailure(said(100, undefined, words)),
      readStatus({ status: { processing_phase: { status: 'error', error: { message: words } } } }).failure,
    ])
      expect(JSON.stringify(failure)).not.toContain('xxxx');
  });

  test('any response is parsed without throwing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 599 }), fc.oneof(fc.string(), fc.json()), (status, body) => {
        const given = responseOf(status, body);
        for (const read of [failureOf, tokenFailure]) expect(read(given).detail).not.toBe('');
        expect(transferRefusal(given).is).not.toBe('');
        expect(typeof connector.commit.codeOf(given)).toBe('string');
        expect(readStatus(given.tryJson()).state).not.toBe('');
      }),
      { numRuns: 300 },
    );
  });
});

describe('commit answers', () => {
  const proves = (given: HttpResponse) =>
    provenBy(connector.commit.responses, given.status, connector.commit.codeOf(given));

  test.each([
    [190, 463, 'retryable'],
    [190, undefined, 'retryable'],
    [190, 999, null],
    [4, undefined, 'retryable'],
    [4, 2_207_051, null],
    [80_001, undefined, 'retryable'],
    [100, undefined, 'refused'],
    [100, 33, null],
    [506, undefined, 'refused'],
    [368, undefined, null],
    [368, 1_390_008, 'retryable'],
    [368, 4_854_002, null],
    [1, undefined, null],
    [2, undefined, null],
  ])('%i/%s proves %s', (code, subcode, expected) => {
    expect(proves(said(code, subcode))).toBe(expected);
    expect(proves(said(code, subcode, 'words', 500))).toBeNull();
  });

  test('only 200 with success means published', () => {
    expect(proves(responseOf(200, { success: true }))).toBe('done');
    expect(proves(responseOf(200, { error: { code: 2 } }))).toBeNull();
    for (const status of [201, 204, 302, 400, 404, 500, 504]) expect(proves(responseOf(status, ''))).toBeNull();
    const work = {} as Parameters<typeof connector.commit.done>[0];
    expect(() => connector.commit.done(work, {}, responseOf(200, { success: false }))).toThrow('did not say');
    expect(() => connector.commit.done(work, {}, responseOf(200, '<html>'))).toThrow('did not say');
  });
});

describe('status', () => {
  const read = (status: object, more: object = {}) => readStatus({ status, ...more });

  test.each([
    ['uploading', { video_status: 'processing', uploading_phase: { status: 'in_progress', bytes_transfered: 50_002 } }],
    ['uploading', { video_status: 'uploading', uploading_phase: { status: 'not_started' } }],
    ['untold', {}],
    ['untold', { publishing_phase: { status: 'not_started' } }],
    ['uploading', { uploading_phase: { status: 'not_started' } }],
    ['uploaded', { video_status: 'processing', uploading_phase: { status: 'complete' } }],
    ['uploaded', { video_status: 'upload_complete' }],
    ['uploaded', { video_status: 'ready', publishing_phase: { status: 'not_started' } }],
    ['publishing', { uploading_phase: { status: 'complete' }, publishing_phase: { status: 'in_progress' } }],
    ['publishing', { publishing_phase: { status: 'complete', publish_status: 'scheduled' } }],
    ['published', { publishing_phase: { status: 'complete', publish_status: 'published' } }],
    ['published', { publishing_phase: { status: 'complete' } }],
    ['failed', { video_status: 'upload_failed' }],
    ['failed', { processing_phase: { status: 'error', error: { message: 'x' } } }],
    ['failed', { video_status: 'error' }],
    ['expired', { video_status: 'expired', uploading_phase: { status: 'complete' } }],
  ])('is %s', (state, status) => {
    expect(read(status).state).toBe(state);
  });

  test('published overrides all other fields', () => {
    expect(read({ video_status: 'processing' }, { published: true }).state).toBe('published');
    expect(read({ video_status: 'processing' }, { published: false }).state).toBe('uploading');
    expect(read({}, { published: true }).state).toBe('published');
  });

  test.each([
    [true, { video_status: 'processing', processing_phase: { status: 'not_started' } }],
    [true, { video_status: 'processing' }],
    [true, { processing_phase: { status: 'in_progress' } }],
    [false, { video_status: 'processing', processing_phase: { status: 'complete' } }],
    [false, { video_status: 'upload_complete', processing_phase: { status: 'not_started' } }],
    [false, { video_status: 'ready' }],
  ])('busy is %s', (busy, status) => {
    expect(read(status).busy).toBe(busy);
  });

  test('reads bytes by either spelling, or null', () => {
    expect(read({ uploading_phase: { bytes_transfered: 7 } }).received).toBe(7);
    expect(read({ uploading_phase: { bytes_transferred: '8' } }).received).toBe(8);
    expect(read({ uploading_phase: {} }).received).toBeNull();
  });

  test.each([
    [{ processing_phase: { status: 'error', error: { code: 1_363_129, message: 'fps' } } }, '1363129'],
    [{ processing_phase: { status: 'error', errors: [{ code: 1_363_128, message: 'length' }] } }, '1363128'],
    [{ publishing_phase: { status: 'error', errors: [{ code: 1_404_102 }] } }, '1404102'],
  ])('reports the error of the failed phase', (status, platformCode) => {
    expect(read(status).failure).toMatchObject({ platformCode });
    expect(read({ video_status: 'error' }).failure).toMatchObject({ kind: 'rejected', what: 'video' });
  });

  test('converts the publish time to milliseconds', () => {
    expect(read({ publishing_phase: { publish_time: 1_764_000_000 } }).publishedAt).toBe(1_764_000_000_000);
  });
});

describe('upload host', () => {
  const refused = (type: string, message = '') =>
    transferRefusal(responseOf(400, { debug_info: { retriable: true, type, message } }));

  test.each([
    ['OffsetInvalidError', '', 'stray'],
    ['PartialRequestError', 'Partial request (did not match length of file)', 'stray'],
    ['ProcessingFailedError', 'broken', 'lost'],
    ['ProcessingFailedError', '{"success":false,"error":{"message":"unauthorized user request"}}', 'token'],
    ['SomethingNew', '', 'other'],
  ])('%s %s', (type, message, is) => {
    expect(refused(type, message).is).toBe(is);
  });

  test('accepts Graph API errors and other bodies', () => {
    expect(transferRefusal(said(190, 463)).is).toBe('token');
    expect(transferRefusal(said(4))).toMatchObject({ is: 'other', failure: { kind: 'rateLimited' } });
    expect(transferRefusal(responseOf(502, 'Bad gateway'))).toMatchObject({
      is: 'other',
      failure: { kind: 'transient' },
    });
  });
});

describe('details', () => {
  test.each([
    ['900000000000001', '900000000000001'],
    ['https://www.facebook.com/reel/900000000000001/', '900000000000001'],
    ['https://www.facebook.com/reel/900000000000001?s=1', '900000000000001'],
    ['https://www.facebook.com/noracuts/videos/900000000000001/', '900000000000001'],
    ['https://www.facebook.com/noracuts/videos/a-title/900000000000001/', '900000000000001'],
    ['https://www.facebook.com/watch/?v=900000000000001', '900000000000001'],
    [' /reel/900000000000001/ ', '900000000000001'],
  ])('canonicalId of %s', (id, canonical) => {
    expect(connector.canonicalId(id)).toBe(canonical);
  });

  test('options accept only a title', () => {
    expect(connector.options.parse({})).toEqual({});
    expect(connector.options.parse({ title: ' A title ' })).toEqual({ title: 'A title' });
    for (const wrong of [{ title: '' }, { title: 'x'.repeat(256) }, { title: 1 }, { place: '1' }])
      expect(connector.options.safeParse(wrong).success).toBe(false);
  });

  test('a checkpoint survives serialization, and an empty one is new', () => {
    const upload = uploadOf({});
    expect(upload).toMatchObject({ videoId: '', finishes: 0, uploaded: false });
    expect(uploadOf({ ...upload, videoId: '9', uploaded: true })).toEqual({ ...upload, videoId: '9', uploaded: true });
  });

  test('reels match by text and, if known, duration', () => {
    const fits = (description: string, length: number | null, text = 'a b') =>
      isLike({ id: '1', description, length }, { text, durationMs: 31_000 });
    expect([fits('a  b ', 31.5), fits('a b', null), fits('a c', 31), fits('a b', 33)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
