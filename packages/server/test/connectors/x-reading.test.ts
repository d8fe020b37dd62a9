import { postLength } from '@reelay/sandbox/platforms/x/post-length.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { captionLength } from '../../src/connectors/kit/captions.ts';
import { codeOf, failureOf, limitOf, processingFailure } from '../../src/connectors/x/classify.ts';
import { connector } from '../../src/connectors/x/index.ts';
import { capabilitiesOf } from '../../src/connectors/x/limits.ts';
import { tokenFailure } from '../../src/connectors/x/oauth.ts';
import { halved, segmentCount, segmentSize, segmentsFrom } from '../../src/connectors/x/upload.ts';
import { isSameText } from '../../src/connectors/x/verify.ts';
import type { HttpResponse } from '../../src/outbound/http-client.ts';
import { PlatformError } from '../../src/outbound/platform-error.ts';
import { provenBy } from '../../src/publishing/send.ts';
import { responseOf } from './odd-responses.ts';

const NOW = Date.UTC(2026, 10, 21, 10);

const blank = (status: number, detail: string) =>
  responseOf(status, { title: 'T', detail, type: 'about:blank', status });
const typed = (status: number, type: string) =>
  responseOf(status, { title: 'T', detail: 'D', type: `https://api.x.com/2/problems/${type}`, status });

describe('response to the post', () => {
  const { responses, codeOf: verdictOf } = connector.commit;
  const proves = (given: HttpResponse) => provenBy(responses, given.status, verdictOf(given));

  test.each<[HttpResponse, string | null]>([
    [responseOf(201, { data: { id: '1' } }), 'done'],
    [responseOf(401, ''), 'retryable'],
    [responseOf(402, '<html>'), 'retryable'],
    [responseOf(429, '<html>'), 'retryable'],
    [responseOf(400, { errors: [{ message: 'Your media IDs are invalid.' }] }), 'retryable'],
    [typed(400, 'invalid-request'), 'refused'],
    [blank(403, 'You are not permitted to perform this action.'), 'refused'],
    [blank(403, 'This user is not allowed to post a video longer than 2 minutes.'), 'refused'],
    [blank(403, 'The Tweet contains an invalid URL.'), 'refused'],
    [blank(403, 'Your account is not permitted to access this feature'), 'refused'],
    [responseOf(403, { title: 'Unsupported Authentication' }), 'refused'],
    [typed(403, 'client-forbidden'), 'refused'],
    [typed(403, 'client-not-enrolled'), 'refused'],
    [typed(403, 'usage-capped'), 'refused'],
    [blank(403, 'You are not allowed to create a Tweet with duplicate content.'), null],
    [blank(403, 'Status is a duplicate.'), null],
    [responseOf(403, { errors: [{ code: 187 }] }), null],
    [blank(403, 'Posts are limited to a maximum of one cashtag'), 'refused'],
    [blank(403, 'Forbidden'), 'refused'],
    [blank(403, ''), 'refused'],
    [blank(400, 'You are not permitted to perform this action.'), 'refused'],
    [blank(403, 'User is over daily status update limit.'), 'retryable'],
    [responseOf(403, { errors: [{ code: 88, message: 'Rate limit exceeded' }] }), 'retryable'],
    [responseOf(403, { title: 'Access denied', type: 'https://developers.cloudflare.com/1020' }), null],
    [responseOf(403, { error: 'forbidden' }), null],
    [responseOf(403, { message: 'The daily limit of this proxy is reached.' }), null],
    [responseOf(400, '[]'), null],
    [responseOf(403, '<html>Just a moment</html>'), null],
    [responseOf(400, '<html>'), null],
    [responseOf(200, { data: { id: '1' } }), null],
    [responseOf(202, ''), null],
    [typed(404, 'resource-not-found'), 'refused'],
    [responseOf(404, ''), null],
    [responseOf(408, ''), null],
    [blank(408, 'Request Timeout'), null],
    [responseOf(409, ''), null],
    [blank(409, 'Conflict'), null],
    [typed(403, 'internal-error'), null],
    [responseOf(307, ''), null],
    [typed(500, 'internal-error'), null],
    [responseOf(503, ''), null],
  ])('%j', (given, expected) => {
    expect(proves(given)).toBe(expected);
  });

  test('an error of the server is named by its status', () => {
    expect(verdictOf(blank(503, 'Service Unavailable'))).toBe('');
    expect(verdictOf(typed(500, 'internal-error'))).toBe('internal-error');
  });

  test('any response is parsed, and only 201 means success', () => {
    const part = fc.oneof(fc.string(), fc.jsonValue());
    const body = fc.oneof(
      fc.string(),
      fc.jsonValue(),
      fc.record({ title: part, detail: part, type: part, errors: fc.oneof(part, fc.array(part)) }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), body, (status, content) => {
        const given = responseOf(status, content);
        expect(codeOf(given).length).toBeLessThan(61);
        for (const asked of ['media', 'post', 'other'] as const)
          expect(failureOf(given, NOW, asked).detail.text.length).toBeLessThan(400);
        expect(tokenFailure(given).detail.text.length).toBeLessThan(400);
        if (status !== 201) expect(proves(given)).not.toBe('done');
      }),
    );
  });

  test.each<[string, unknown]>([
    ['no post', {}],
    ['an id that is none', { data: { id: 'abc' } }],
    ['a list', []],
    ['a page', '<html>'],
  ])('201 with %s proves nothing', (_name, body) => {
    const work = { session: { endpoints: {} } } as Parameters<typeof connector.commit.done>[0];
    expect(() => connector.commit.done(work, {}, responseOf(201, body))).toThrow();
  });

  test('keeps all digits of the id, even as a number', () => {
    const session = { endpoints: { www: 'https://x.com' }, username: 'nora', extra: {} };
    const work = { session } as unknown as Parameters<typeof connector.commit.done>[0];
    expect(connector.commit.done(work, {}, responseOf(201, '{"data":{"id":1903333333333333333}}'))).toMatchObject({
      then: 'posted',
      published: { remoteId: '1903333333333333333', url: 'https://x.com/nora/status/1903333333333333333' },
    });
  });
});

describe('error responses', () => {
  test.each<[HttpResponse, 'media' | 'post' | 'other', object]>([
    [blank(401, 'Unauthorized'), 'other', { kind: 'tokenExpired' }],
    [responseOf(402, ''), 'post', { kind: 'rateLimited', scope: 'app', window: 'daily', platformCode: 'credits' }],
    [blank(403, 'Forbidden'), 'media', { kind: 'reconnect' }],
    [blank(403, 'Forbidden'), 'other', { kind: 'rejected', what: 'permission' }],
    [responseOf(403, '<html>'), 'media', { kind: 'transient' }],
    [
      blank(403, 'You are not allowed to create a Tweet with duplicate content.'),
      'post',
      { kind: 'rejected', what: 'duplicate', platformCode: 'duplicate' },
    ],
    [typed(404, 'resource-not-found'), 'other', { kind: 'rejected', what: 'other' }],
    [responseOf(404, ''), 'other', { kind: 'transient' }],
    [responseOf(413, ''), 'media', { kind: 'transient' }],
    [responseOf(431, ''), 'media', { kind: 'transient' }],
    [responseOf(429, ''), 'other', { kind: 'rateLimited', waitMs: 300_000 }],
    [responseOf(400, { errors: [{ code: 88, message: 'Rate limit exceeded' }] }), 'other', { kind: 'rateLimited' }],
    [typed(403, 'rate-limit-exceeded'), 'other', { kind: 'rateLimited' }],
    [typed(429, 'usage-capped'), 'other', { kind: 'setup' }],
    [typed(500, 'internal-error'), 'other', { kind: 'transient' }],
    [typed(200, 'internal-error'), 'other', { kind: 'transient' }],
    [responseOf(200, { errors: [{ title: 'Not Found Error' }] }), 'other', { kind: 'rejected', what: 'other' }],
    [responseOf(200, ''), 'other', { kind: 'transient' }],
    [responseOf(301, ''), 'other', { kind: 'transient' }],
    [responseOf(503, { title: 'Service Unavailable' }), 'other', { kind: 'transient' }],
  ])('%j at %s', (given, asked, expected) => {
    expect(failureOf(given, NOW, asked)).toMatchObject({ ...expected, status: given.status });
  });

  test('removes possible tokens and URLs from messages', () => {
    const words = `See https://x.com/a?code=1 and ${'b'.repeat(40)} or access_token=abc`;
    const { detail } = failureOf(typed(404, 'x'), NOW, 'other');
    expect(detail.text).toBe('X rejected the request (x). The platform says: D');
    const shown = JSON.stringify(failureOf(responseOf(400, { detail: words, title: 'T' }), NOW, 'post'));
    for (const secret of ['code=1', 'bbbb', 'abc']) expect(shown).not.toContain(secret);
  });

  test('shows a huge refusal short, without markup and control characters', () => {
    const given = blank(403, '<b>No\u0000\u001b[31m</b>\r\n'.repeat(6_000));
    expect(connector.commit.codeOf(given)).toBe('refused');
    const { text } = failureOf(given, NOW, 'post').detail;
    expect(text).toContain('<b>No');
    expect(text.length).toBeLessThan(400);
    expect(text).not.toMatch(/\p{Cc}/u);
  });

  test('keeps a valid request id', () => {
    const given = { 'x-transaction-id': 'a1b2-c3' };
    expect(failureOf(responseOf(503, '', given), NOW, 'other').requestId).toBe('a1b2-c3');
    expect(failureOf(responseOf(503, '', { 'x-transaction-id': 'no id' }), NOW, 'other')).not.toHaveProperty(
      'requestId',
    );
  });

  test('distinguishes an invalid video from an internal error', () => {
    expect(processingFailure({ code: 1 })).toMatchObject({ kind: 'rejected', what: 'video', platformCode: '1' });
    expect(processingFailure({ name: 'UnsupportedMedia' })).toMatchObject({ platformCode: 'UnsupportedMedia' });
    for (const other of [{ code: 2, name: 'InternalError' }, null, 'failed', { code: '9' }])
      expect(processingFailure(other)).toBeNull();
  });
});

describe('rate limit', () => {
  const at = (seconds: number) => String(NOW / 1000 + seconds);
  const limit = (headers: Record<string, string>) => limitOf(responseOf(429, '', headers), NOW);

  test('lasts until the reset of the exhausted counter', () => {
    const short = { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': at(60) };
    const app = { 'x-app-limit-24hour-remaining': '7', 'x-app-limit-24hour-reset': at(9_000) };
    expect(limit({ ...short, ...app })).toEqual({ waitMs: 60_000, scope: 'account', window: 'rate' });
    const day = { 'x-app-limit-24hour-remaining': '0', 'x-app-limit-24hour-reset': at(9_000) };
    expect(limit({ ...short, ...day })).toEqual({ waitMs: 9_000_000, scope: 'app', window: 'daily' });
    const user = { 'x-user-limit-24hour-remaining': '0', 'x-user-limit-24hour-reset': at(90) };
    const left = { 'x-rate-limit-remaining': '3', 'x-rate-limit-reset': at(600) };
    expect(limit({ ...left, ...user })).toEqual({ waitMs: 90_000, scope: 'account', window: 'daily' });
    expect(limit({ ...left, ...app })).toEqual({ waitMs: 600_000, scope: 'account', window: 'rate' });
  });

  test("is measured by X's clock", () => {
    const headers = { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': at(600) };
    expect(limit({ ...headers, date: new Date(NOW + 540_000).toUTCString() }).waitMs).toBe(60_000);
  });

  test('defaults to five minutes and is bounded', () => {
    expect(limit({}).waitMs).toBe(300_000);
    expect(limit({ 'x-rate-limit-reset': 'soon' }).waitMs).toBe(300_000);
    expect(limit({ 'x-rate-limit-reset': at(-5_000) }).waitMs).toBe(1_000);
    expect(limit({ 'x-rate-limit-reset': at(9_000_000) }).waitMs).toBe(86_400_000);
  });
});

describe('segments', () => {
  const anyFile = fc.integer({ min: 1, max: 500_000_000 });

  test('cover every byte once, at most 1,000 of them', () => {
    fc.assert(
      fc.property(anyFile, fc.integer({ min: 0, max: 2 }), fc.integer({ min: 1, max: 9 }), (bytes, halvings, most) => {
        let size = segmentSize(bytes);
        for (let times = 0; times < halvings; times++) size = halved(bytes, size) ?? size;
        const count = segmentCount(bytes, size);
        expect(count).toBeLessThanOrEqual(1_000);
        let next = 0;
        for (let index = 0; index < count; ) {
          const few = segmentsFrom(bytes, size, index, most);
          expect(few.length).toBe(Math.min(most, count - index));
          for (const segment of few) {
            expect([segment.index, segment.first]).toEqual([index, next]);
            expect(segment.last - segment.first + 1).toBeLessThanOrEqual(size);
            expect(segment.last).toBeGreaterThanOrEqual(segment.first);
            next = segment.last + 1;
            index++;
          }
        }
        expect(next).toBe(bytes);
      }),
      { numRuns: 60 },
    );
  });

  test('have 1 MiB, halved within size and count limits', () => {
    expect([1, 500_000_000].map(segmentSize)).toEqual([1_048_576, 1_048_576]);
    expect(halved(500_000_000, 1_048_576)).toBe(524_288);
    expect(halved(500_000_000, 524_288)).toBeNull();
    expect(halved(1_000, 262_144)).toBe(131_072);
    expect(halved(1_000, 131_072)).toBeNull();
    expect(segmentSize(5_000_000_000)).toBe(5_000_000);
  });
});

describe('texts', () => {
  const word = fc.stringMatching(/^[A-Za-zäöüßéñЖж]{1,12}$/);
  const heavy = fc.stringMatching(/^[日本語中文한국]{1,8}$/);
  const emoji = fc.constantFrom('🏃', '🏃‍♀️', '👍🏽', '🇫🇷', '❤️', '👨‍👩‍👧‍👦', '☀️', '1️⃣');
  const link = fc
    .tuple(
      fc.constantFrom('https://', 'http://', ''),
      fc.stringMatching(/^[a-z]{2,9}$/),
      fc.constantFrom('', '/a', '/a/b?c=d'),
    )
    .map(([scheme, name, path]) => `${scheme}${name}.com${path}`);
  const anyPost = fc.array(fc.oneof(word, heavy, emoji, link), { maxLength: 25 }).map((parts) => parts.join(' '));

  test('have the same length in connector and simulator', () => {
    fc.assert(
      fc.property(anyPost, (text) => {
        const ours = captionLength(text, connector.capabilities.caption);
        expect(ours).toBe(postLength(text));
        expect(captionLength(text.normalize('NFD'), connector.capabilities.caption)).toBe(ours);
      }),
    );
  });

  test('match as X displays them', () => {
    expect(isSameText({ text: 'a &amp; b &lt;3 https://t.co/AbC123' }, 'a & b <3')).toBe(true);
    expect(isSameText({ text: 'a  b\nc' }, 'a b c')).toBe(true);
    expect(isSameText({ text: 'a b' }, 'a')).toBe(false);
    expect(isSameText({ text: 'https://t.co/AbC123' }, '')).toBe(false);
    expect(isSameText({ text: '&amp;lt; a' }, '&lt; a')).toBe(true);
  });
});

test.each([
  ['1903333333333333333', '1903333333333333333'],
  [' 1903333333333333333 ', '1903333333333333333'],
  ['https://x.com/nora/status/1903333333333333333', '1903333333333333333'],
  ['https://x.com/i/web/status/1903333333333333333?s=20', '1903333333333333333'],
  ['https://twitter.com/nora/statuses/1903333333333333333/video/1', '1903333333333333333'],
])('canonicalId of "%s" is %s', (given, expected) => {
  expect(connector.canonicalId(given)).toBe(expected);
});

test('subscription names match in any spelling', () => {
  for (const name of ['PremiumPlus', 'premium_plus', 'Premium+', 'PREMIUM'])
    expect(capabilitiesOf(name).caption.maxLength).toBe(25_000);
  for (const name of ['', 'None', 'Basic', 'PremiumBusiness'])
    expect(capabilitiesOf(name)).toBe(connector.capabilities);
});

test('an error message reveals nothing secret', () => {
  const error = new PlatformError(failureOf(responseOf(403, { detail: 'x'.repeat(40) }), NOW, 'post'));
  expect(error.message).not.toContain('xxxx');
});
