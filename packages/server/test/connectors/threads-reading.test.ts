import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { graphTime } from '../../src/connectors/kit/graph-api.ts';
import { containerEnd, exchangeFailure, failureOf, tokenFailure } from '../../src/connectors/threads/classify.ts';
import { postOf, readContainer } from '../../src/connectors/threads/container.ts';
import { connector } from '../../src/connectors/threads/index.ts';
import { isLike } from '../../src/connectors/threads/verify.ts';
import type { HttpResponse } from '../../src/outbound/http-client.ts';
import { provenBy } from '../../src/publishing/send.ts';
import { graphError as said } from './graph-responses.ts';
import { responseOf } from './odd-responses.ts';

describe('error responses', () => {
  test.each([
    [190, undefined, { kind: 'tokenExpired' }],
    [190, 463, { kind: 'tokenExpired' }],
    [190, 467, { kind: 'tokenExpired' }],
    [190, 458, { kind: 'reconnect' }],
    [190, 460, { kind: 'reconnect' }],
    [10, undefined, { kind: 'reconnect' }],
    [200, undefined, { kind: 'reconnect' }],
    [299, undefined, { kind: 'reconnect' }],
    [100, undefined, { kind: 'rejected', what: 'other' }],
    [100, 4_279_013, { kind: 'setup' }],
    [4_279_013, undefined, { kind: 'setup' }],
    [4, 2_207_051, { kind: 'rejected', what: 'policy' }],
    [9, 2_207_042, { kind: 'rateLimited', window: 'daily', waitMs: 86_400_000 }],
    [24, 2_207_006, { kind: 'transient', waitMs: 30_000 }],
    [24, 2_207_008, { kind: 'transient', waitMs: 30_000 }],
    [4_279_009, undefined, { kind: 'transient', waitMs: 30_000 }],
    [1, undefined, { kind: 'transient' }],
    [2, undefined, { kind: 'transient' }],
    [4, undefined, { kind: 'rateLimited', scope: 'app' }],
    [17, undefined, { kind: 'rateLimited' }],
    [32, undefined, { kind: 'rateLimited' }],
    [613, undefined, { kind: 'rateLimited' }],
  ] as const)('%i/%s', (code, subcode, expected) => {
    const platformCode = subcode ? `${code}/${subcode}` : String(code);
    expect(failureOf(said(code, subcode))).toMatchObject({ ...expected, platformCode, requestId: 'Atrace' });
  });

  test.each([
    [400, '<html>Just a moment</html>', 'transient'],
    [500, '', 'transient'],
    [200, '[]', 'transient'],
    [429, '', 'rateLimited'],
  ])('%i without an API error body', (status, body, kind) => {
    expect(failureOf(responseOf(status, body))).toMatchObject({ kind });
  });

  test('a rejected text is recognized by its message', () => {
    expect(failureOf(said(100, undefined, 'Param text must be at most 500 characters long.'))).toMatchObject({
      kind: 'rejected',
      what: 'caption',
    });
    expect(failureOf(said(100, undefined, 'Context is missing.'))).toMatchObject({ kind: 'rejected', what: 'other' });
  });

  test.each([
    [{ error_message: 'Invalid authorization code', code: 400 }, 'reconnect'],
    [{ error_message: 'This authorization code has been used' }, 'reconnect'],
    [{ error_message: 'Invalid platform app', code: 101 }, 'setup'],
    [{ error: { code: 190 } }, 'reconnect'],
    [{ error: { code: 101 } }, 'setup'],
    [{ error: { code: 2 } }, 'transient'],
    [{}, 'transient'],
  ])('code exchange: %j', (body, kind) => {
    expect(exchangeFailure(responseOf(400, body))).toMatchObject({ kind });
  });

  test.each([
    [190, 'words', 'reconnect'],
    [100, 'words', 'setup'],
    [1, 'Error validating client secret.', 'setup'],
    [1, 'words', 'transient'],
    [10, 'words', 'reconnect'],
    [4, 'words', 'rateLimited'],
  ])('token exchange: %i %s', (code, message, kind) => {
    expect(tokenFailure(said(code, undefined, message))).toMatchObject({ kind });
  });

  test('removes tokens and URLs from messages', () => {
    const words = `Bad token TH${'x'.repeat(60)} https://reelay.example/links/xxxx access_token=xxxx`;
    for (const failure of [
      failureOf(said(100, undefined, words)),
      tokenFailure(said(100, undefined, words)),
      exchangeFailure(responseOf(400, { error_message: words })),
      containerEnd(words),
    ])
      expect(JSON.stringify(failure)).not.toContain('xxxx');
  });

  test('any response is parsed without throwing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 599 }), fc.oneof(fc.string(), fc.json()), (status, body) => {
        const given = responseOf(status, body);
        for (const read of [failureOf, tokenFailure, exchangeFailure]) expect(read(given).detail).not.toBe('');
        expect(containerEnd(body).is).not.toBe('');
        expect(readContainer(given.tryJson()).state).not.toBe('');
        expect(typeof connector.commit.codeOf(given)).toBe('string');
      }),
      { numRuns: 300 },
    );
  });
});

describe('container end', () => {
  test.each([
    ['FAILED_DOWNLOADING_VIDEO', 'unfetched'],
    ['failed_downloading', 'unfetched'],
    ['FAILED_PROCESSING_AUDIO', 'once'],
    ['FAILED_PROCESSING_VIDEO', 'once'],
    ['UNKNOWN', 'once'],
    ['', 'once'],
    ['something else', 'once'],
    ['INVALID_ASPEC_RATIO', 'final'],
    ['INVALID_ASPECT_RATIO', 'final'],
    ['INVALID_BIT_RATE', 'final'],
    ['INVALID_DURATION', 'final'],
    ['INVALID_FRAME_RATE', 'final'],
    ['INVALID_AUDIO_CHANNELS', 'final'],
    ['INVALID_AUDIO_CHANNEL_LAYOUT', 'final'],
    ['INVALID_SOMETHING_NEW', 'final'],
  ])('%s is %s', (message, is) => {
    expect(containerEnd(message).is).toBe(is);
  });

  test.each([
    ['FINISHED', 'finished'],
    ['PUBLISHED', 'published'],
    ['ERROR', 'failed'],
    ['EXPIRED', 'expired'],
    ['IN_PROGRESS', 'working'],
    ['SOMETHING_NEW', 'working'],
    ['constructor', 'working'],
  ])('status %s is %s', (status, state) => {
    expect(readContainer({ status }).state).toBe(state);
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
    [9, 2_207_042, 'retryable'],
    [10, undefined, null],
    [24, 4_279_009, null],
    [100, undefined, null],
    [100, 33, null],
    [24, 4_279_009, null],
    [24, 2_207_008, null],
    [4_279_009, undefined, null],
    [1, undefined, null],
  ])('%i/%s proves %s', (code, subcode, expected) => {
    expect(proves(said(code, subcode))).toBe(expected);
    expect(proves(said(code, subcode, 'words', 500))).toBeNull();
  });

  test('only 200 with an id means published', () => {
    expect(proves(responseOf(200, { id: '18' }))).toBe('done');
    for (const status of [201, 204, 302, 400, 404, 429, 500]) expect(proves(responseOf(status, ''))).toBeNull();
    const work = {} as Parameters<typeof connector.commit.done>[0];
    expect(connector.commit.done(work, {}, responseOf(200, '{"id":18000000000000009}'))).toMatchObject({
      checkpoint: { mediaId: '18000000000000009' },
    });
    for (const body of ['{}', '<html>', '{"id":"x"}'])
      expect(() => connector.commit.done(work, {}, responseOf(200, body))).toThrow('incomplete response');
  });
});

describe('details', () => {
  test('a listed post matches by text, type and time', () => {
    const entry = { text: ' a  b', media_type: 'VIDEO', timestamp: '2026-11-21T10:00:00+0000' };
    const at = Date.UTC(2026, 10, 21, 10);
    expect(isLike(entry, 'a b', at)).toBe(true);
    expect(isLike(entry, 'a b', at + 10_001)).toBe(false);
    expect(isLike(entry, 'a c', at)).toBe(false);
    expect(isLike({ ...entry, media_type: 'IMAGE' }, 'a b', at)).toBe(false);
    expect(isLike({ ...entry, timestamp: undefined }, 'a b', at)).toBe(false);
  });

  test('parses timestamps of the Graph API', () => {
    expect(graphTime('2026-11-21T10:00:00+0000')).toBe(Date.UTC(2026, 10, 21, 10));
    expect(graphTime('2026-11-21T10:00:00Z')).toBe(Date.UTC(2026, 10, 21, 10));
    expect(graphTime('soon')).toBeNull();
  });

  test('a checkpoint survives serialization, and an empty one is new', () => {
    const post = postOf({});
    expect(post).toMatchObject({ containerId: '', sends: 0, mediaId: '' });
    expect(postOf({ ...post, containerId: '17', sends: 2 })).toEqual({ ...post, containerId: '17', sends: 2 });
  });

  test('rejects unknown and invalid options', () => {
    const { options } = connector;
    expect(options.parse({ replyControl: 'everyone', spoiler: false })).toEqual({
      replyControl: 'everyone',
      spoiler: false,
    });
    for (const wrong of [
      { replyControl: 'nobody' },
      { topicTag: 'a.b' },
      { topicTag: '' },
      { altText: '' },
      { title: 'x' },
    ])
      expect(options.safeParse(wrong).success).toBe(false);
  });

  test('canonicalId trims a post id', () => {
    expect(connector.canonicalId(' 18000000000000009 ')).toBe('18000000000000009');
  });
});
