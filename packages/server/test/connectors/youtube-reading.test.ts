import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { captionLength } from '../../src/connectors/kit/captions.ts';
import { untilMidnight } from '../../src/connectors/kit/clock.ts';
import { failureOf, withoutMarkup } from '../../src/connectors/youtube/classify.ts';
import { connector } from '../../src/connectors/youtube/index.ts';
import { descriptionOf, options, titleOf } from '../../src/connectors/youtube/limits.ts';
import { tokenFailure } from '../../src/connectors/youtube/oauth.ts';
import {
  GRANULE,
  nextPiece,
  readProgress,
  UNOPENED,
  type Upload,
  uploadOf,
} from '../../src/connectors/youtube/publish.ts';
import { failureIn } from '../../src/connectors/youtube/verify.ts';
import { provenBy } from '../../src/publishing/send.ts';
import { responseOf } from './odd-responses.ts';

/** 02:00 Pacific Time. */
const NOW = Date.UTC(2026, 10, 21, 10);
const HOUR = 3_600_000;

const said = (status: number, reason: string, message = '') =>
  responseOf(status, { error: { code: status, message, errors: [{ message, domain: 'youtube', reason }] } });

describe('error responses', () => {
  test.each([
    [401, 'authError', { kind: 'tokenExpired' }],
    [401, 'youtubeSignupRequired', { kind: 'rejected', what: 'permission' }],
    [403, 'quotaExceeded', { kind: 'rateLimited', scope: 'app', window: 'daily', waitMs: 22 * HOUR + 60_000 }],
    [403, 'dailyLimitExceeded', { kind: 'rateLimited', scope: 'app', window: 'daily', waitMs: 22 * HOUR + 60_000 }],
    [403, 'rateLimitExceeded', { kind: 'rateLimited', scope: 'app', window: 'rate', waitMs: 30_000 }],
    [429, 'rateLimitExceeded', { kind: 'rateLimited', scope: 'app', window: 'rate', waitMs: 30_000 }],
    [403, 'userRateLimitExceeded', { kind: 'rateLimited', scope: 'account', window: 'rate', waitMs: 30_000 }],
    [429, 'userRateLimitExceeded', { kind: 'rateLimited', scope: 'account', window: 'rate', waitMs: 30_000 }],
    [400, 'uploadLimitExceeded', { kind: 'rateLimited', scope: 'account', window: 'daily', waitMs: 24 * HOUR }],
    [400, 'invalidTitle', { kind: 'rejected', what: 'caption' }],
    [400, 'invalidDescription', { kind: 'rejected', what: 'caption' }],
    [400, 'invalidTags', { kind: 'rejected', what: 'caption' }],
    [400, 'invalidCategoryId', { kind: 'rejected', what: 'caption' }],
    [400, 'invalidVideoMetadata', { kind: 'rejected', what: 'caption' }],
    [400, 'invalidPublishAt', { kind: 'rejected', what: 'caption' }],
    [400, 'invalidFilename', { kind: 'rejected', what: 'caption' }],
    [400, 'invalidRecordingDetails', { kind: 'rejected', what: 'caption' }],
    [400, 'invalidVideoGameRating', { kind: 'rejected', what: 'caption' }],
    [400, 'defaultLanguageNotSet', { kind: 'rejected', what: 'caption' }],
    [400, 'mediaBodyRequired', { kind: 'rejected', what: 'other' }],
    [403, 'forbidden', { kind: 'rejected', what: 'permission' }],
    [403, 'forbiddenLicenseSetting', { kind: 'rejected', what: 'permission' }],
    [403, 'forbiddenPrivacySetting', { kind: 'rejected', what: 'permission' }],
    [403, 'insufficientPermissions', { kind: 'reconnect' }],
    [403, 'accessNotConfigured', { kind: 'setup' }],
    [403, 'channelSuspended', { kind: 'rejected', what: 'policy' }],
    [403, 'accountClosed', { kind: 'rejected', what: 'policy' }],
    [403, 'channelClosed', { kind: 'rejected', what: 'policy' }],
    [404, 'videoNotFound', { kind: 'rejected', what: 'other' }],
    [404, 'playlistNotFound', { kind: 'rejected', what: 'other' }],
    [503, 'backendError', { kind: 'transient' }],
    [500, 'internalError', { kind: 'transient' }],
    [400, 'somethingNew', { kind: 'rejected', what: 'other' }],
    [503, 'somethingNew', { kind: 'transient' }],
    [408, 'somethingNew', { kind: 'transient' }],
  ] as const)('%i %s', (status, reason, expected) => {
    expect(failureOf(said(status, reason), NOW)).toMatchObject({ ...expected, status, platformCode: reason });
  });

  test.each([
    ['the status alone', 401, { error: { code: 401, status: 'UNAUTHENTICATED' } }, 'tokenExpired'],
    ['the status alone', 429, { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }, 'rateLimited'],
    ['the status alone', 403, { error: { code: 403, status: 'PERMISSION_DENIED' } }, 'rejected'],
    [
      'the details',
      403,
      { error: { status: 'PERMISSION_DENIED', details: [{}, { reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }] } },
      'reconnect',
    ],
    ['the details', 403, { error: { details: [{ reason: 'SERVICE_DISABLED' }] } }, 'setup'],
  ] as const)('read from %s: %i', (_name, status, body, kind) => {
    expect(failureOf(responseOf(status, body), NOW)).toMatchObject({ kind });
  });

  test.each([
    [401, { kind: 'tokenExpired' }],
    [429, { kind: 'rateLimited', waitMs: 30_000 }],
    [400, { kind: 'transient' }],
    [403, { kind: 'transient' }],
    [404, { kind: 'transient' }],
    [502, { kind: 'transient' }],
    [200, { kind: 'transient' }],
    [307, { kind: 'transient' }],
  ] as const)('%i without an API error body', (status, expected) => {
    for (const body of ['<html>Just a moment</html>', '', '{"error":"text"}', '[1]']) {
      const failure = failureOf(responseOf(status, body), NOW);
      expect(failure).toMatchObject(expected);
      expect(failure).not.toHaveProperty('platformCode');
    }
  });

  test.each([
    ['a message', { errors: [{ reason: 'rateLimitExceeded' }], message: "limit 'Video Uploads per day'" }],
    ['a message without errors', { status: 'RESOURCE_EXHAUSTED', message: "limit 'Video Uploads per day'" }],
    [
      'a detail',
      {
        errors: [{ reason: 'rateLimitExceeded' }],
        details: [
          {},
          { reason: 'RATE_LIMIT_EXCEEDED', metadata: { quota_limit: 'defaultVideoUploadsPerDayPerProject' } },
        ],
      },
    ],
    [
      'a detail alone',
      { details: [{ reason: 'RATE_LIMIT_EXCEEDED', metadata: { quota_limit: 'DefaultPerDayPerProject' } }] },
    ],
  ])('%s that names the day waits until midnight Pacific', (_name, error) => {
    const daily = { kind: 'rateLimited', scope: 'app', window: 'daily', waitMs: 22 * HOUR + 60_000 };
    expect(failureOf(responseOf(429, { error }), NOW)).toMatchObject(daily);
  });

  test('a limit per minute stays a short wait', () => {
    const error = {
      errors: [{ reason: 'rateLimitExceeded' }],
      message: "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute'",
      details: [{ reason: 'RATE_LIMIT_EXCEEDED', metadata: { quota_limit: 'defaultPerMinutePerProject' } }],
    };
    expect(failureOf(responseOf(429, { error }), NOW)).toMatchObject({ scope: 'app', window: 'rate', waitMs: 30_000 });
  });

  test('respects Retry-After up to one day', () => {
    const wait = (after: string) => failureOf(responseOf(429, '', { 'retry-after': after }), NOW);
    expect(wait('7')).toMatchObject({ waitMs: 7_000 });
    expect(wait('9999999')).toMatchObject({ waitMs: 86_400_000 });
    for (const none of ['', 'soon', '-5', '0']) expect(wait(none)).toMatchObject({ waitMs: 30_000 });
  });

  test.each([
    [400, { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }, 'reconnect'],
    [400, { error: 'invalid_token' }, 'reconnect'],
    [400, { error: 'admin_policy_enforced' }, 'reconnect'],
    [401, { error: 'invalid_client' }, 'setup'],
    [401, { error: 'unauthorized_client' }, 'setup'],
    [401, { error: 'deleted_client' }, 'setup'],
    [400, { error: 'redirect_uri_mismatch' }, 'setup'],
    [400, { error: 'invalid_scope' }, 'setup'],
    [403, { error: 'org_internal' }, 'setup'],
    [500, { error: 'internal_failure' }, 'transient'],
    [400, { error: 'something new' }, 'transient'],
    [429, {}, 'rateLimited'],
    [503, '<html>', 'transient'],
    [200, {}, 'transient'],
  ] as const)('token endpoint: %i %j', (status, body, kind) => {
    expect(tokenFailure(responseOf(status, body))).toMatchObject({ kind, status });
  });

  test('any error response is parsed without throwing', () => {
    const word = fc.oneof(fc.string(), fc.jsonValue());
    const error = fc.record(
      { code: word, message: word, status: word, errors: fc.array(fc.record({ reason: word })), details: word },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fc.string(),
      fc.jsonValue(),
      error.map((value) => ({ error: value })),
      fc.record({ error: word, error_description: word }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), body, (status, content) => {
        const given = responseOf(status, content);
        for (const failure of [failureOf(given, NOW), tokenFailure(given)]) {
          expect(failure.kind).toEqual(expect.any(String));
          expect(failure.detail.text.length).toBeLessThan(400);
          expect(failure.status).toBe(status);
        }
        expect(typeof connector.commit.codeOf(given)).toBe('string');
      }),
    );
  });

  test('removes tokens, URLs and markup from messages', () => {
    const secret = fc.stringMatching(/^(ya29\.|1\/\/0|https:\/\/x\.example\/\?upload_id=)[A-Za-z0-9_-]{40,80}$/);
    fc.assert(
      fc.property(fc.lorem(), secret, fc.lorem(), (before, token, after) => {
        const failure = failureOf(said(400, 'somethingNew', `${before} ${token} ${after}`), NOW);
        expect(JSON.stringify(failure)).not.toContain(token.slice(-20));
      }),
    );
    const words = 'You have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.';
    expect(withoutMarkup(words)).toBe('You have exceeded your quota.');
  });
});

describe('response to the last part', () => {
  test.each([
    [200, 'done'],
    [201, 'done'],
    [204, null],
    [307, null],
    [308, null],
    [400, null],
    [401, null],
    [403, null],
    [404, null],
    [410, null],
    [421, null],
    [429, null],
    [500, null],
  ] as const)('%i proves %s', (status, expected) => {
    for (const body of ['', '<html>', { error: { errors: [{ reason: 'quotaExceeded' }] } }])
      expect(provenBy(connector.commit.responses, status, connector.commit.codeOf(responseOf(status, body)))).toBe(
        expected,
      );
  });
});

describe('session state', () => {
  const session = { endpoints: connector.endpoints, now: () => NOW };
  const uri = 'https://www.googleapis.com/upload/youtube/v3/videos?upload_id=1';
  const told = (status: number, headers: Record<string, string> = {}, body: unknown = '') =>
    readProgress(responseOf(status, body, headers), { uri, bytes: 1_000, session });

  test.each([
    ['bytes=0-99', 100],
    ['bytes=0-0', 1],
    ['0-99', 100],
    ['bytes 0-99', 100],
    ['bytes=0-999', 1_000],
    ['bytes=0-1000', null],
    ['bytes=5-99', null],
    ['bytes=0-', null],
    ['', null],
  ])('is parsed from Range "%s"', (range, stored) => {
    expect(told(308, { range })).toEqual({ state: 'partial', stored, uri: '' });
  });

  test('without Range is empty unless the session moved', () => {
    expect(told(308)).toEqual({ state: 'partial', stored: 0, uri: '' });
    const location = 'https://youtube.googleapis.com/upload/youtube/v3/videos?upload_id=2';
    expect(told(308, { location })).toEqual({ state: 'partial', stored: null, uri: location });
    expect(told(308, { location, range: 'bytes=0-9' })).toEqual({ state: 'partial', stored: 10, uri: location });
    for (const away of [
      'https://evil.example/',
      'https://googleapis.com.evil.example/',
      'http://www.googleapis.com/upload',
      'https://xgoogleapis.com/',
      'https://[',
    ])
      expect(told(308, { location: away, range: 'bytes=0-9' })).toMatchObject({ uri: '' });
  });

  test('complete or gone', () => {
    expect(told(200, {}, { id: 'dQx1Abc2De3' })).toEqual({ state: 'whole', videoId: 'dQx1Abc2De3' });
    expect(told(201, {}, { id: '-_x1Abc2De3' })).toEqual({ state: 'whole', videoId: '-_x1Abc2De3' });
    for (const body of ['{}', '{"id":""}', '{"id":"a/b?c=d&e"}', 'null', '"x"'])
      expect(() => told(200, {}, body)).toThrow('incomplete response');
    for (const status of [400, 404, 410]) expect(told(status, {}, '<html>')).toEqual({ state: 'gone' });
    expect(readProgress(said(403, 'forbidden', 'Not you.'), { uri, bytes: 1, session })).toEqual({
      state: 'gone',
      reason: expect.objectContaining({ text: expect.stringContaining('Not you.') }),
    });
    for (const status of [401, 403, 429, 500, 503]) expect(() => told(status, {}, '<html>')).toThrow();
  });
});

describe('video state', () => {
  test.each([
    [{ status: { uploadStatus: 'uploaded' } }, null],
    [{ status: { uploadStatus: 'processed' } }, null],
    [{ status: { uploadStatus: 'somethingNew' } }, null],
    [{}, null],
    [{ status: { uploadStatus: 'uploaded' }, processingDetails: { processingStatus: 'terminated' } }, null],
    [{ status: { uploadStatus: 'deleted' } }, 'deleted'],
    [{ status: { uploadStatus: 'failed' } }, 'failed'],
    [{ status: { uploadStatus: 'failed', failureReason: 'codec' } }, 'codec'],
    [{ status: { uploadStatus: 'rejected' } }, 'rejected'],
    [{ status: { uploadStatus: 'rejected', rejectionReason: 'copyright' } }, 'copyright'],
    [
      {
        status: { uploadStatus: 'uploaded' },
        processingDetails: { processingStatus: 'failed', processingFailureReason: 'transcodeFailed' },
      },
      'transcodeFailed',
    ],
    [{ status: { uploadStatus: 'processed' }, processingDetails: { processingStatus: 'failed' } }, null],
  ])('%j', (video, platformCode) => {
    expect(failureIn(video)?.platformCode ?? null).toBe(platformCode);
  });
});

describe('parts', () => {
  const sizes = fc.oneof(
    fc.integer({ min: 1, max: 40_000_000 }),
    fc.integer({ min: 1, max: 200 }).map((n) => n * GRANULE),
  );

  test('cover every byte once, and the last is small', () => {
    fc.assert(
      fc.property(sizes, (total) => {
        let at = 0;
        for (;;) {
          const { first, last, isLast } = nextPiece(total, at);
          const length = last - first + 1;
          expect(first).toBe(at);
          if (isLast) {
            expect(last).toBe(total - 1);
            expect(length).toBeGreaterThan(0);
            expect(length).toBeLessThanOrEqual(GRANULE);
            expect(first).toBe(Math.floor((total - 1) / GRANULE) * GRANULE);
            return;
          }
          expect(length % GRANULE).toBe(0);
          expect(length).toBeLessThanOrEqual(8 * 1024 * 1024);
          at = last + 1;
        }
      }),
    );
  });

  test('continue from any stored offset', () => {
    const kept = sizes.chain((total) => fc.tuple(fc.constant(total), fc.integer({ min: 0, max: total - 1 })));
    fc.assert(
      fc.property(kept, ([total, at]) => {
        const { first, last, isLast } = nextPiece(total, at);
        expect(first).toBe(at);
        expect(last).toBeLessThan(total);
        expect(isLast).toBe(last === total - 1);
        if (!isLast) expect((last - first + 1) % GRANULE).toBe(0);
        if (isLast) expect(last - first + 1).toBeLessThanOrEqual(GRANULE);
      }),
    );
  });
});

describe('midnight Pacific', () => {
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone: 'America/Los_Angeles',
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  });

  test.each([
    ['in winter', '2026-11-21T10:00:00Z', 22],
    ['in summer', '2026-07-01T06:59:59Z', 1 / 3_600],
    ['on the day that has 23 hours', '2026-03-08T08:00:00Z', 23],
    ['on the day that has 25 hours', '2026-11-01T07:00:00Z', 25],
    ['late on the day that has 25 hours', '2026-11-02T07:00:00Z', 1],
  ])('%s', (_name, now, hours) => {
    expect(untilMidnight('America/Los_Angeles', Date.parse(now))).toBe(Math.round(hours * HOUR));
  });

  test('is the first moment of the next day', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2035, 0) }), (now) => {
        const then = now + untilMidnight('America/Los_Angeles', now);
        expect(then).toBeGreaterThan(now);
        expect(clock.format(then)).toMatch(/24:00:00|00:00:00/);
        expect(clock.format(then).slice(0, 10)).not.toBe(clock.format(now).slice(0, 10));
        expect(clock.format(then - 1).slice(0, 10)).toBe(clock.format(now).slice(0, 10));
      }),
    );
  });
});

describe('texts', () => {
  test('any text yields a valid title', () => {
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 300 }), fc.lorem());
    fc.assert(
      fc.property(texts, (text) => {
        const title = titleOf(text);
        expect(title.length).toBeLessThanOrEqual(100);
        expect(title.trim()).not.toBe('');
        expect(title).not.toMatch(/[<>\p{Cc}]/u);
        expect(title.isWellFormed()).toBe(true);
      }),
    );
  });

  test.each([
    ['\n\n  Sunset   run \nmore', 'Sunset run'],
    ['a\tb\r\nc', 'a b'],
    ['#one #two', '#one #two'],
    ['<3', '‹3'],
    ['\u0000\n', 'Video'],
    ['😀'.repeat(60), `${'😀'.repeat(49)}…`],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['x'.repeat(101), `${'x'.repeat(99)}…`],
    [`${'x'.repeat(90)} ${'y'.repeat(20)}`, `${'x'.repeat(90)}…`],
  ])('title of %j', (text, title) => {
    expect(titleOf(text)).toBe(title);
  });

  test('replacing angle brackets keeps a description within the limit', () => {
    const texts = fc.string({ unit: fc.constantFrom('<', '>', 'a', 'é', '😀'), maxLength: 6_000 });
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(Buffer.byteLength(text) <= 5_000);
        const description = descriptionOf(text);
        expect(Buffer.byteLength(description)).toBeLessThanOrEqual(5_000);
        expect(description).not.toMatch(/[<>]/);
      }),
    );
    expect(descriptionOf('a <b> c')).toBe('a ‹b› c');
    expect(descriptionOf('>'.repeat(5_000))).toBe(')'.repeat(5_000));
  });

  test('the description limit is in bytes', () => {
    const { caption } = connector.capabilities;
    expect(caption.maxBytes).toBe(5_000);
    expect(captionLength('😀', caption)).toBe(1);
  });
});

describe('options', () => {
  test.each([
    [{}],
    [{ title: 'x'.repeat(100) }],
    [{ tags: [] }],
    [{ tags: ['x'.repeat(250), 'y'.repeat(249)] }],
    [{ privacy: 'unlisted', madeForKids: false, syntheticMedia: true, category: '28', notifySubscribers: true }],
  ])('%j is accepted', (asked) => {
    expect(options.parse(asked)).toEqual(asked);
  });

  test.each([
    [{ title: '' }],
    [{ title: '  ' }],
    [{ title: 'x'.repeat(101) }],
    [{ title: 7 }],
    [{ tags: 'a,b' }],
    [{ tags: [''] }],
    [{ tags: ['a<b'] }],
    [{ tags: ['x'.repeat(250), 'y'.repeat(250)] }],
    [{ tags: [`${'x'.repeat(250)} ${'y'.repeat(248)}`] }],
    [{ privacy: 'friends' }],
    [{ madeForKids: 'no' }],
    [{ syntheticMedia: 1 }],
    [{ category: 'music' }],
    [{ playlist: 'x' }],
  ])('%j is rejected', (asked) => {
    expect(options.safeParse(asked).success).toBe(false);
  });
});

describe('checkpoint', () => {
  const anyUpload: fc.Arbitrary<Upload> = fc.record({
    privacy: fc.constantFrom('public', 'unlisted', 'private'),
    uri: fc.webUrl(),
    openedAt: fc.maxSafeNat(),
    sent: fc.maxSafeNat(),
    doubt: fc.boolean(),
    strays: fc.nat(),
    offeredAt: fc.maxSafeNat(),
    restarts: fc.nat(),
    videoId: fc.string(),
    covered: fc.boolean(),
    polls: fc.nat(),
    missingSince: fc.maxSafeNat(),
  });

  test('survives serialization', () => {
    fc.assert(
      fc.property(anyUpload, (upload) => {
        expect(uploadOf(JSON.parse(JSON.stringify(upload)))).toEqual(upload);
      }),
    );
  });

  test('an empty checkpoint is an unopened upload', () => {
    expect(uploadOf({})).toMatchObject(UNOPENED);
  });
});

test.each([
  ['dQx1Abc2De3', 'dQx1Abc2De3'],
  [' -Qx1Abc2De_ ', '-Qx1Abc2De_'],
  ['https://www.youtube.com/watch?v=dQx1Abc2De3', 'dQx1Abc2De3'],
  ['https://www.youtube.com/watch?list=PL1&v=dQx1Abc2De3&t=3s', 'dQx1Abc2De3'],
  ['https://www.youtube.com/shorts/dQx1Abc2De3?feature=share', 'dQx1Abc2De3'],
  ['https://youtu.be/dQx1Abc2De3?si=x', 'dQx1Abc2De3'],
  ['https://www.youtube.com/embed/dQx1Abc2De3/', 'dQx1Abc2De3'],
])('canonicalId of "%s"', (id, canonical) => {
  expect(connector.canonicalId(id)).toBe(canonical);
});
