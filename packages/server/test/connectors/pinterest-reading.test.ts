import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { captionLength } from '../../src/connectors/kit/captions.ts';
import { boardFor, boardsOf } from '../../src/connectors/pinterest/api.ts';
import { codeOf, failureOf, storeCode } from '../../src/connectors/pinterest/classify.ts';
import { connector } from '../../src/connectors/pinterest/index.ts';
import { tokenFailure } from '../../src/connectors/pinterest/oauth.ts';
import { type Progress, progressOf, textsOf, UNREGISTERED } from '../../src/connectors/pinterest/upload.ts';
import { isSameText, madeAt } from '../../src/connectors/pinterest/verify.ts';
import type { HttpResponse } from '../../src/outbound/http-client.ts';
import { provenBy } from '../../src/publishing/send.ts';
import { responseOf } from './odd-responses.ts';

const said = (status: number, code: number, message: string, headers: Record<string, string> = {}) =>
  responseOf(status, { code, message }, { 'x-pinterest-rid': '7012345', ...headers });

const TRIAL =
  'Apps with Trial access may not create Pins in production https://api.pinterest.com - use API Sandbox https://api-sandbox.pinterest.com instead.';
const NOT_READY = 'The media is not usable: its status is processing.';

describe('Pinterest error mapping', () => {
  test.each([
    [400, 1, "'abc' does not match '^\\d+$'", { kind: 'rejected', what: 'other' }],
    [400, 1, '{"title":7} is not valid under any of the given schemas', { kind: 'rejected', what: 'caption' }],
    [400, 1, 'constraint: maxItems=5', { kind: 'rejected', what: 'other' }],
    [400, 9, 'Missing cover_image_url or cover_image_content_type for video', { kind: 'transient' }],
    [400, 9, 'Unable to reach the URL', { kind: 'transient' }],
    [400, 9, 'Media is not ready yet', { kind: 'transient' }],
    [400, 9, 'Video processing has failed', { kind: 'transient' }],
    [401, 2, 'Authentication failed.', { kind: 'tokenExpired' }],
    [401, 3, 'Your token does not have sufficient permissions to perform this operation.', { kind: 'reconnect' }],
    [401, 283, 'The authorization grant is invalid', { kind: 'reconnect' }],
    [403, 29, 'You are not permitted to access that resource.', { kind: 'setup' }],
    [403, 29, TRIAL, { kind: 'setup' }],
    [403, 1, 'Your consumer type is not supported', { kind: 'setup' }],
    [404, 40, 'Board not found.', { kind: 'setup' }],
    [404, 50, 'Board not found.', { kind: 'setup' }],
    [404, 50, 'Media not found', { kind: 'transient' }],
    [404, 50, 'Pin not found', { kind: 'rejected', what: 'other' }],
    [409, 58, 'A board with this name exists already.', { kind: 'rejected', what: 'other' }],
    [418, 999, 'Something new', { kind: 'rejected', what: 'other' }],
    [429, 8, 'You have exceeded your rate limit. Try again later.', { kind: 'rateLimited', waitMs: 60_000 }],
    [500, 12, 'Something went wrong on our end.', { kind: 'transient' }],
    [503, 999, 'Something new', { kind: 'transient' }],
  ] as const)('maps %i/%i %s', (status, code, message, expected) => {
    expect(failureOf(said(status, code, message))).toMatchObject({
      ...expected,
      status,
      platformCode: String(code),
      requestId: '7012345',
    });
  });

  test.each([
    [401, 'tokenExpired'],
    [429, 'rateLimited'],
    [400, 'transient'],
    [403, 'transient'],
    [404, 'transient'],
    [502, 'transient'],
    [200, 'transient'],
    [307, 'transient'],
  ] as const)("maps %i without the API's format", (status, kind) => {
    for (const body of ['', '<html>Just a moment</html>', {}, { code: 'x', message: 'y' }, { code: 1 }, []]) {
      const failure = failureOf(responseOf(status, body));
      expect(failure).toMatchObject({ kind, status });
      expect(failure).not.toHaveProperty('platformCode');
    }
  });

  test('caps waits at a day; long ones count as daily', () => {
    const wait = (reset: string) => failureOf(said(429, 8, 'x', { 'x-ratelimit-reset': reset }));
    expect(wait('7')).toMatchObject({ waitMs: 7_000, window: 'rate' });
    expect(wait('30000')).toMatchObject({ waitMs: 30_000_000, window: 'daily' });
    expect(wait('9999999')).toMatchObject({ waitMs: 86_400_000 });
    for (const none of ['', 'soon', '-5', '0']) expect(wait(none)).toMatchObject({ waitMs: 60_000 });
  });

  test('waits for hours after the spam filter', () => {
    expect(failureOf(said(429, 8, 'This looks like spam.', { 'x-ratelimit-reset': '7' }))).toMatchObject({
      waitMs: 21_600_000,
    });
    const detail = responseOf(429, { code: 8, message: 'Blocked', message_detail: 'Our spam filter caught this' });
    expect(failureOf(detail)).toMatchObject({ waitMs: 21_600_000, window: 'daily' });
  });

  test.each([
    [401, { code: 283, message: 'The authorization grant is invalid' }, 'reconnect'],
    [401, { code: 2, message: 'Authentication failed.' }, 'setup'],
    [400, { code: 1, message: 'redirect_uri is wrong' }, 'setup'],
    [403, { code: 29, message: 'App is deactivated' }, 'setup'],
    [401, '', 'transient'],
    [429, '', 'rateLimited'],
    [500, '<html>', 'transient'],
    [200, {}, 'transient'],
  ] as const)("maps the token endpoint's %i %j", (status, body, kind) => {
    expect(tokenFailure(responseOf(status, body))).toMatchObject({ kind, status });
  });

  test('never throws and keeps messages short', () => {
    const word = fc.oneof(fc.string(), fc.jsonValue());
    const body = fc.oneof(
      fc.string(),
      fc.jsonValue(),
      fc.record({ code: fc.oneof(fc.integer(), word), message: word }, { requiredKeys: [] }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), body, (status, content) => {
        const given = responseOf(status, content);
        for (const failure of [failureOf(given), tokenFailure(given)]) {
          expect(failure.status).toBe(status);
          expect(failure.detail.text.length).toBeLessThan(400);
        }
        expect(typeof codeOf(given)).toBe('string');
        expect(typeof storeCode(given)).toBe('string');
      }),
    );
  });

  test('removes tokens and URLs from messages', () => {
    const secret = fc.stringMatching(/^(pina_|pinr\.|https:\/\/x\.example\/\?t=)[A-Za-z0-9_-]{40,80}$/);
    fc.assert(
      fc.property(fc.lorem(), secret, (before, token) => {
        expect(JSON.stringify(failureOf(said(400, 1, `${before} ${token}`)))).not.toContain(token.slice(-20));
      }),
    );
  });

  test.each([
    ['<?xml version="1.0"?>\n<Error><Code>EntityTooLarge</Code><Message>x</Message></Error>', 'EntityTooLarge'],
    ['<Error><Code></Code></Error>', ''],
    ['{"code":1}', ''],
  ])("reads the storage's XML error in %s", (text, code) => {
    expect(storeCode(responseOf(400, text))).toBe(code);
  });
});

describe('Pinterest pin response', () => {
  const proves = (given: HttpResponse) => provenBy(connector.commit.responses, given.status, codeOf(given));

  test.each([
    [200, {}, 'done'],
    [201, {}, 'done'],
    [400, { code: 1, message: "'abc' does not match" }, 'refused'],
    [400, { code: 1, message: NOT_READY }, 'retryable'],
    [400, { code: 9, message: 'Something new' }, 'refused'],
    [403, { code: 7, message: 'Something new' }, 'refused'],
    [422, { code: 9, message: 'Something new' }, 'refused'],
    [429, { code: 9, message: 'Our spam filter caught this' }, 'retryable'],
    [408, { code: 9, message: 'Something new' }, null],
    [401, { code: 2, message: 'Authentication failed.' }, 'retryable'],
    [401, { code: 3, message: 'Your token does not have sufficient permissions' }, 'retryable'],
    [403, { code: 29, message: 'You are not permitted to access that resource.' }, 'refused'],
    [403, { code: 29, message: TRIAL }, 'refused'],
    [403, { code: 7, message: 'consumer type is not supported' }, 'refused'],
    [404, { code: 40, message: 'Board not found.' }, 'refused'],
    [404, { code: 50, message: 'Media not found' }, 'retryable'],
    [429, { code: 8, message: 'You have exceeded your rate limit. Try again later.' }, 'retryable'],
    [202, {}, null],
    [307, '', null],
    [400, '<html>', null],
    [401, '', null],
    [403, '<html>Just a moment</html>', null],
    [404, '', null],
    [408, '', null],
    [409, { code: 58, message: 'Conflict' }, null],
    [421, '', null],
    [429, '<html>', null],
    [500, { code: 12, message: 'oops' }, null],
    [504, '', null],
  ] as const)('%i %j proves %s', (status, body, expected) => {
    expect(proves(responseOf(status, body))).toBe(expected);
  });

  test('proves nothing without a pin, and keeps ids exact', () => {
    const session = { now: () => 0, endpoints: { www: 'https://www.pinterest.com' } };
    const work = { session } as unknown as Parameters<typeof connector.commit.done>[0];
    for (const body of ['<html>', '{}', '[]', '{"id":"x"}', '{"id":null}'])
      expect(() => connector.commit.done(work, {}, responseOf(201, body))).toThrow();
    for (const id of ['"813744226420795884"', '813744226420795884'])
      expect(connector.commit.done(work, {}, responseOf(201, `{"id":${id}}`))).toMatchObject({
        then: 'posted',
        published: {
          remoteId: '813744226420795884',
          url: 'https://www.pinterest.com/pin/813744226420795884/',
          publishedAt: null,
        },
      });
  });
});

describe('Pinterest pin match', () => {
  const words = { title: '', description: 'Sunset run #sea' };
  test.each([
    ['our words', { description: 'Sunset run #sea' }, true],
    ['our words, spaced otherwise', { description: ' sunset\nRUN #sea ' }, true],
    ['our words and a title of its own', { description: 'Sunset run #sea', title: 'Sunset' }, true],
    ['our words and a mark of a kept pin', { description: 'Sunset run #sea', parent_pin_id: '7' }, false],
    ['our words of another', { description: 'Sunset run #sea', is_owner: false }, false],
    ['other words', { description: 'Sunset' }, false],
    ['no words', { description: null }, false],
    ['nothing', {}, false],
  ])('is decided for a pin with %s', (_name, pin, expected) => {
    expect(isSameText(pin, words)).toBe(expected);
  });

  test.each([
    ['2026-11-21T10:20:30', Date.UTC(2026, 10, 21, 10, 20, 30)],
    ['2026-11-21T10:20:30Z', Date.UTC(2026, 10, 21, 10, 20, 30)],
    ['2026-11-21T10:20:30+02:00', Date.UTC(2026, 10, 21, 8, 20, 30)],
    ['soon', null],
    ['', null],
  ])('reads the creation time "%s"', (told, expected) => {
    expect(madeAt({ created_at: told })).toBe(expected);
  });
});

describe('Pinterest boards', () => {
  test('sort by numeric id and omit those without one', () => {
    const ids = fc.uniqueArray(fc.bigInt({ min: 1n, max: 10n ** 22n }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(ids, (given) => {
        const listed = [...given.map((id) => ({ id: String(id), privacy: 'PUBLIC' })), { id: 'x' }, null, 7];
        const sorted = boardsOf(listed).map(({ id }) => BigInt(id));
        expect(sorted).toEqual([...given].sort((a, b) => (a < b ? -1 : 1)));
      }),
    );
  });

  test.each([
    [{ board: 'PUBLIC' }, {}, '11'],
    [{ board: 'SECRET' }, {}, ''],
    [{ board: '12' }, {}, '12'],
    [{ board: 'PUBLIC' }, { board: '13' }, '13'],
    [{}, {}, ''],
  ])('choice %j with option %j selects "%s"', (choices, options, expected) => {
    const session = { choices: choices as Record<string, string>, extra: { boards: { PUBLIC: '11' } } };
    expect(boardFor(session, { options })).toBe(expected);
  });
});

describe('Pinterest checkpoint', () => {
  const anyProgress: fc.Arbitrary<Progress> = fc.record({
    sha256: fc.string(),
    boardId: fc.string(),
    mediaId: fc.string(),
    uploadUrl: fc.webUrl(),
    parameters: fc.dictionary(fc.stringMatching(/^[A-Za-z][A-Za-z-]{0,20}$/), fc.string()),
    uploadedAt: fc.nat(),
    ready: fc.boolean(),
    polls: fc.nat(),
    restarts: fc.nat(),
    seen: fc.option(fc.array(fc.string())),
    armed: fc.boolean(),
    sends: fc.nat(),
    sentAt: fc.nat(),
    doubted: fc.boolean(),
  });

  test('survives serialization unchanged', () => {
    fc.assert(
      fc.property(anyProgress, (progress) => {
        expect(progressOf(JSON.parse(JSON.stringify(progress)))).toEqual(progress);
      }),
    );
  });

  test('reads an empty one as an unregistered video', () => {
    for (const empty of [{}, null]) expect(progressOf(empty)).toMatchObject({ ...UNREGISTERED, seen: null, sends: 0 });
    // Older checkpoints have `sent` instead of a count.
    expect(progressOf({ sent: true }).sends).toBe(1);
  });

  test.each([[null], ['x'], [['a']], [{ a: 1 }], [{ 'a"b': 'c' }], [{ 'a\r\nb': 'c' }]])(
    'accepts no form fields from %j',
    (value) => {
      expect(textsOf(value)).toBeNull();
    },
  );
});

test('limits the text to 800 UTF-16 units', () => {
  expect(captionLength('🏃', connector.capabilities.caption)).toBe(2);
  expect(connector.capabilities.caption).toEqual({ maxLength: 800, unit: 'utf16' });
});

test.each([
  ['813744226420795884', '813744226420795884'],
  [' https://www.pinterest.com/pin/813744226420795884/ ', '813744226420795884'],
  ['https://www.pinterest.de/pin/813744226420795884/?x=1', '813744226420795884'],
  ['https://www.pinterest.com/pin/sunset-run--813744226420795884/', '813744226420795884'],
])('the Pinterest id "%s" is reduced to its number', (id, canonical) => {
  expect(connector.canonicalId(id)).toBe(canonical);
});
