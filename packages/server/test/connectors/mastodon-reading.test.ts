import { statusHtml, statusLength } from '@reelay/sandbox/platforms/mastodon/html.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/connectors/contract.ts';
import { captionLength } from '../../src/connectors/kit/captions.ts';
import { handleDomain, serviceFrom } from '../../src/connectors/mastodon/api.ts';
import { codeOf, failureOf, waitOf } from '../../src/connectors/mastodon/classify.ts';
import { connector } from '../../src/connectors/mastodon/index.ts';
import { capabilitiesOf, defaultCapabilities } from '../../src/connectors/mastodon/limits.ts';
import { hasMedium, hasVideoLike, isSameText, publishedFrom, textOf } from '../../src/connectors/mastodon/verify.ts';
import type { HttpResponse } from '../../src/outbound/http-client.ts';
import { PlatformError } from '../../src/outbound/platform-error.ts';
import { provenBy } from '../../src/publishing/send.ts';
import { responseOf } from './odd-responses.ts';

const NOW = Date.UTC(2026, 10, 21, 10);

test('Mastodon messages omit quoted tokens and URLs', () => {
  const error = `The token ZA-${'Yj8v62iDcsPySPmbLRZvn'.repeat(2)} is not good at https://m.example/?t=1`;
  const headers = { 'x-request-id': 'ZA-token and more' };
  const failure = failureOf(responseOf(401, { error }, headers), NOW, 'other');
  expect(JSON.stringify(failure)).not.toMatch(/Yj8v62|m\.example|ZA-/);
  expect(failure.detail).toMatchObject({ code: 'platform_says', params: { words: 'The token … is not good at …' } });
});

describe('Mastodon status response', () => {
  const proves = (given: HttpResponse) => provenBy(connector.commit.responses, given.status, codeOf(given));

  test.each([
    [200, {}, 'done'],
    [401, { error: 'The access token was revoked' }, 'retryable'],
    [429, { error: 'Too many requests' }, 'retryable'],
    [429, '<html>', 'retryable'],
    [403, { error: 'This action is not allowed' }, 'refused'],
    [422, { error: 'Validation failed: Text character limit of 500 exceeded' }, 'refused'],
    [422, { error: "Validation failed: Text can't be blank" }, 'refused'],
    [422, { error: 'Validation failed: File content type is invalid, File is invalid' }, 'refused'],
    [422, { error: 'Cannot attach files that have not finished processing. Try again in a moment!' }, 'retryable'],
    [422, { error: 'Media 22546307 not found or already attached to another post' }, null],
    [422, { error: 'Validation failed: Media not found or already attached to another post' }, null],
    [422, { error: 'Validation failed: Name is invalid' }, null],
    [422, { error: 'Gültigkeitsprüfung ist fehlgeschlagen: Text Zeichenlimit von 500 überschritten' }, null],
    [422, { error: 'Duplicate record' }, null],
    [422, '<html>', null],
    [400, { error: 'Invalid request' }, 'refused'],
    [405, { error: 'Method not allowed' }, 'refused'],
    [415, { error: 'Unsupported content type' }, 'refused'],
    [400, '<html>Bad Request</html>', null],
    [403, '<html>Just a moment</html>', null],
    [404, { error: 'Record not found' }, null],
    [408, '', null],
    [410, '', null],
    [413, '<html>', null],
    [500, { error: 'There was a problem' }, null],
    [503, { error: 'There was a temporary problem serving your request, please try again' }, null],
  ] as const)('%i %j proves %s', (status, body, expected) => {
    expect(proves(responseOf(status, body))).toBe(expected);
  });

  test('never throws, and only 200 proves "done"', () => {
    const error = fc.oneof(fc.string(), fc.jsonValue());
    const body = fc.oneof(
      fc.string(),
      fc.jsonValue(),
      error.map((value) => ({ error: value })),
    );
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), body, (status, content) => {
        const given = responseOf(status, content);
        expect(typeof codeOf(given)).toBe('string');
        expect(failureOf(given, NOW, 'status').detail.text.length).toBeLessThan(400);
        if (status !== 200) expect(proves(given)).not.toBe('done');
      }),
    );
  });

  test.each([
    ['no status', {}],
    ['a scheduled one', { id: '7', scheduled_at: '2026-11-22T10:00:00Z', params: {} }],
    ['a list', []],
    ['a page', '<html>'],
  ])('200 with %s proves nothing', (_name, body: unknown) => {
    const work = { session: { now: () => NOW } } as Parameters<typeof connector.commit.done>[0];
    expect(() => connector.commit.done(work, {}, responseOf(200, body))).toThrow();
  });
});

describe('Mastodon error mapping', () => {
  test.each([
    [401, 'The access token was revoked', 'other', { kind: 'reconnect', revoked: true }],
    [401, 'Das Zugriffstoken wurde widerrufen', 'other', { kind: 'reconnect' }],
    [403, 'This action is outside the authorized scopes', 'other', { kind: 'reconnect' }],
    [403, 'Your login is currently disabled', 'other', { kind: 'rejected', what: 'permission' }],
    [422, 'Datei-Inhaltstyp ist nicht gültig', 'media', { kind: 'rejected', what: 'video' }],
    [400, 'Invalid request', 'status', { kind: 'rejected', what: 'other' }],
    [400, 'Unsupported media type', 'media', { kind: 'rejected', what: 'video' }],
    [422, 'Validation failed: Text character limit of 500 exceeded', 'status', { kind: 'rejected', what: 'caption' }],
    [422, 'Validation failed: File is invalid', 'status', { kind: 'rejected', what: 'video' }],
    [422, 'Irgendetwas', 'status', { kind: 'transient' }],
    [410, 'gone', 'other', { kind: 'transient' }],
    [503, 'maintenance', 'other', { kind: 'transient' }],
  ] as const)('maps %i "%s" at %s', (status, error, asked, expected) => {
    const given = responseOf(status, { error }, { 'x-request-id': 'r-1' });
    expect(failureOf(given, NOW, asked)).toMatchObject({ ...expected, status, requestId: 'r-1' });
  });

  test("waits for a limit by the server's clock", () => {
    const reset = '2026-11-21T10:05:00.123456Z';
    expect(waitOf(responseOf(429, '', { 'x-ratelimit-reset': reset }), NOW)).toBe(300_123);
    const date = 'Sat, 21 Nov 2026 10:04:00 GMT';
    expect(waitOf(responseOf(429, '', { 'x-ratelimit-reset': reset, date }), NOW)).toBe(60_123);
    expect(waitOf(responseOf(429, '', { 'retry-after': '7', 'x-ratelimit-reset': reset }), NOW)).toBe(7_000);
    expect(waitOf(responseOf(429, '', { 'x-ratelimit-reset': String(NOW / 1000 + 9) }), NOW)).toBe(9_000);
  });

  test('waits five minutes by default and bounds other values', () => {
    expect(waitOf(responseOf(429, ''), NOW)).toBe(300_000);
    expect(waitOf(responseOf(429, '', { 'x-ratelimit-reset': 'soon' }), NOW)).toBe(300_000);
    expect(waitOf(responseOf(429, '', { 'x-ratelimit-reset': '2020-01-01T00:00:00Z' }), NOW)).toBe(1_000);
    expect(waitOf(responseOf(429, '', { 'x-ratelimit-reset': '2999-01-01T00:00:00Z' }), NOW)).toBe(86_400_000);
  });
});

describe('Mastodon limits', () => {
  test('come from the instance description of any version', () => {
    const configuration = {
      statuses: { max_characters: 11_000, characters_reserved_per_url: 30 },
      media_attachments: {
        supported_mime_types: ['image/png', 'video/mp4', 'video/x-matroska', 'video/ogg'],
        video_size_limit: 40_000_000,
        video_frame_rate_limit: 60,
        video_matrix_limit: 2_304_000,
      },
    };
    expect(capabilitiesOf({ configuration })).toEqual({
      video: {
        maxBytes: 40_000_000,
        containers: ['mp4', 'matroska'],
        maxFps: 60,
        maxPixels: 2_304_000,
        maxFrames: 36_000,
      },
      caption: { maxLength: 11_000, unit: 'graphemes', urlLength: 30, mentionDomainFree: true },
      watch: 'poll',
    });
    const pleroma = capabilitiesOf({ max_toot_chars: 5_000, upload_limit: '16000000' });
    expect([pleroma.caption.maxLength, pleroma.video.maxBytes]).toEqual([5_000, 16_000_000]);
  });

  test('are the defaults when the instance gives invalid values', () => {
    const statuses = { max_characters: -1 };
    const media_attachments = { video_size_limit: 'much', video_frame_rate_limit: 0, supported_mime_types: 'all' };
    const useless: Json[] = [null, [], {}, 'x', { configuration: { statuses, media_attachments } }];
    for (const instance of useless) expect(capabilitiesOf(instance)).toEqual(defaultCapabilities);
  });
});

describe('Mastodon server', () => {
  test.each([
    ['mastodon.social', 'https://mastodon.social'],
    [' Mastodon.Social ', 'https://mastodon.social'],
    ['@nora@mastodon.social', 'https://mastodon.social'],
    ['nora@mastodon.social', 'https://mastodon.social'],
    ['acct:nora@mastodon.social', 'https://mastodon.social'],
    ['https://mastodon.social/@nora/115', 'https://mastodon.social'],
    ['social.example:8443', 'https://social.example:8443'],
    ['http://mastodon.lan:8080/@nora', 'http://mastodon.lan:8080'],
    ['bücher.example', 'https://xn--bcher-kva.example'],
  ])('is parsed from "%s"', (input, origin) => {
    expect(serviceFrom(input)).toBe(origin);
  });

  test.each(['', '  ', '@', 'ftp://x', 'https://nora:secret@mastodon.social', 'two words'])(
    'is rejected for "%s"',
    (input) => {
      expect(() => serviceFrom(input)).toThrow(PlatformError);
    },
  );

  test('may use its parent domain in handles, and no other', () => {
    expect(handleDomain('https://social.example.org', 'Example.org')).toBe('example.org');
    for (const claim of ['mastodon.social', 'org', 'ample.org', '', 'evil.social.example.org'])
      expect(handleDomain('https://social.example.org', claim)).toBe('social.example.org');
  });
});

describe('Mastodon status', () => {
  const words = (text: string) => ({ text, durationMs: 0, committedAt: 0 });

  test('is matched by upload id or by URL', () => {
    const status = { media_attachments: [{ id: '-115', url: 'https://m.example/media/a.mp4' }] };
    expect(hasMedium(status, '-115', '')).toBe(true);
    expect(hasMedium(status, 'abc', 'https://m.example/media/a.mp4')).toBe(true);
    expect(hasMedium(status, 'abc', '')).toBe(false);
    expect(hasMedium({}, 'abc', '')).toBe(false);
  });

  test('is matched by one video of our duration, if given', () => {
    const video = (duration: number) => ({ type: 'video', meta: { original: { duration } } });
    expect(hasVideoLike({ media_attachments: [video(31.4)] }, 31_000)).toBe(true);
    expect(hasVideoLike({ media_attachments: [{ type: 'gifv' }] }, 31_000)).toBe(true);
    expect(hasVideoLike({ media_attachments: [video(33)] }, 31_000)).toBe(false);
    expect(hasVideoLike({ media_attachments: [video(31), video(31)] }, 31_000)).toBe(false);
    expect(hasVideoLike({ media_attachments: [{ type: 'image' }] }, 31_000)).toBe(false);
  });

  test("is matched by its text despite the server's HTML", () => {
    const html =
      '<p>Caf&eacute; &amp; <span class="h-card"><a href="x">@<span>otto</span></a></span></p><p>at &#128151; <br>home</p>';
    expect(textOf('a&amp;b &#39;c&#x27; &unknown; <b>d</b>')).toBe("a&b 'c' &unknown; d");
    expect(isSameText({ content: html.replace('&eacute;', 'é') }, words('Café & @otto@m.example\n\nat 💗 home'))).toBe(
      true,
    );
    expect(isSameText({ content: '<p>else</p>' }, words('Café'))).toBe(false);
    expect(isSameText({ content: '<p></p>' }, words('…'))).toBe(false);
  });

  test('is matched in any script', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.lorem({ mode: 'sentences' }));
    fc.assert(
      fc.property(text, (written) => {
        fc.pre(/[\p{L}\p{N}]/u.test(written.normalize('NFKC').toLowerCase()) && !/[@#:]/.test(written));
        expect(isSameText({ content: statusHtml(written, 'https://m.example') }, words(written))).toBe(true);
      }),
    );
  });

  test('reports a lower visibility than requested, not a higher one', () => {
    const status = (visibility: string) => ({ id: '1', url: 'u', created_at: '2026-11-21T10:00:00.000Z', visibility });
    expect(publishedFrom(status('public'), 'public')).toEqual({ remoteId: '1', url: 'u', publishedAt: NOW });
    expect(publishedFrom(status('unlisted'), 'public').detail).toMatch(/unlisted/);
    expect(publishedFrom(status('public'), 'private').detail).toBeUndefined();
    expect(publishedFrom(status('local'), 'public').detail).toBeUndefined();
    expect(publishedFrom({})).toEqual({ remoteId: null, url: null, publishedAt: null });
  });

  test('has the same length as in the simulator', () => {
    const part = fc.constantFrom(
      'a',
      'ü',
      '👨‍👩‍👧',
      ' ',
      '\n',
      '@otto@m.example',
      'https://example.org/x',
      '#sea',
      '.',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join(' ');
        expect(captionLength(text, defaultCapabilities.caption)).toBe(statusLength(text, ''));
      }),
    );
  });

  test.each([
    ['115500000000000001', '115500000000000001'],
    ['https://m.example/@nora/115500000000000001', '115500000000000001'],
    ['https://m.example/users/nora/statuses/115500000000000001?x#y', '115500000000000001'],
    [' 0193f0aa-1111-7000-8000-000000000000/ ', '0193f0aa-1111-7000-8000-000000000000'],
  ])('reduces the Mastodon id "%s"', (id, canonical) => {
    expect(connector.canonicalId(id)).toBe(canonical);
  });
});
