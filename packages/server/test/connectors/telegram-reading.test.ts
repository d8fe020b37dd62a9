import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { captionLength } from '../../src/connectors/kit/captions.ts';
import { chatFrom, chatsFrom, postUrl } from '../../src/connectors/telegram/chats.ts';
import { codeOf, failureOf, waitOf } from '../../src/connectors/telegram/classify.ts';
import { connector } from '../../src/connectors/telegram/index.ts';
import { capabilitiesOf } from '../../src/connectors/telegram/limits.ts';
import { publishedFrom } from '../../src/connectors/telegram/send-video.ts';
import type { HttpResponse } from '../../src/outbound/http-client.ts';
import { PlatformError } from '../../src/outbound/platform-error.ts';
import { provenBy } from '../../src/publishing/send.ts';
import { responseOf } from './odd-responses.ts';

const no = (status: number, description: string, parameters?: object) =>
  responseOf(status, { ok: false, error_code: status, description, ...(parameters ? { parameters } : {}) });
const proves = (given: HttpResponse) => provenBy(connector.commit.responses, given.status, codeOf(given));

/** All known errors: what each proves about a send, and its failure. */
const KNOWN: [number, string, 'refused' | 'retryable' | null, object][] = [
  [401, 'Unauthorized', 'retryable', { kind: 'reconnect', revoked: true }],
  [401, 'Unauthorized: invalid token specified', 'retryable', { kind: 'reconnect' }],
  [403, 'Forbidden: bot was kicked from the channel chat', 'refused', { kind: 'reconnect' }],
  [403, 'Forbidden: bot is not a member of the channel chat', 'refused', { kind: 'reconnect' }],
  [403, 'Forbidden: user is deactivated', 'refused', { kind: 'reconnect' }],
  [403, 'Forbidden: bot was blocked by the user', 'refused', { kind: 'reconnect' }],
  [403, 'Forbidden: something new', 'refused', { kind: 'reconnect' }],
  [403, 'Forbidden: CHAT_SEND_VIDEOS_FORBIDDEN', 'refused', { kind: 'rejected', what: 'permission' }],
  [400, 'Bad Request: CHAT_SEND_VIDEOS_FORBIDDEN', 'refused', { kind: 'rejected', what: 'permission' }],
  [400, 'Bad Request: CHAT_RESTRICTED', 'refused', { kind: 'rejected', what: 'permission' }],
  [400, 'Bad Request: have no rights to send a message', 'refused', { kind: 'rejected', what: 'permission' }],
  [400, 'Bad Request: CHANNEL_PRIVATE', 'refused', { kind: 'reconnect' }],
  [400, 'Bad Request: PEER_ID_INVALID', 'refused', { kind: 'reconnect' }],
  [400, 'Bad Request: VIDEO_CONTENT_TYPE_INVALID', 'refused', { kind: 'rejected', what: 'video' }],
  [400, 'Bad Request: file must be non-empty', 'refused', { kind: 'rejected', what: 'video' }],
  [400, 'Bad Request: SOMETHING_NEW', 'refused', { kind: 'rejected', what: 'other' }],
  [400, 'Bad Request: chat not found', 'refused', { kind: 'reconnect' }],
  [
    400,
    'Bad Request: need administrator rights in the channel chat',
    'refused',
    { kind: 'rejected', what: 'permission' },
  ],
  [
    400,
    'Bad Request: not enough rights to send videos to the chat',
    'refused',
    { kind: 'rejected', what: 'permission' },
  ],
  [400, 'Bad Request: CHAT_WRITE_FORBIDDEN', 'refused', { kind: 'rejected', what: 'permission' }],
  [400, 'Bad Request: group chat was upgraded to a supergroup chat', 'retryable', { kind: 'transient', waitMs: 0 }],
  [400, 'Bad Request: message caption is too long', 'refused', { kind: 'rejected', what: 'caption' }],
  [400, "Bad Request: can't parse entities: unclosed", 'refused', { kind: 'rejected', what: 'caption' }],
  [400, 'Bad Request: there is no video in the request', 'refused', { kind: 'rejected', what: 'other' }],
  [400, 'Bad Request: chat_id is empty', 'refused', { kind: 'rejected', what: 'other' }],
  [400, 'Bad Request: wrong file identifier/HTTP URL specified', 'retryable', { kind: 'transient' }],
  [400, 'Bad Request: wrong file_id or the file is temporarily unavailable', 'retryable', { kind: 'transient' }],
  [400, 'Bad Request: failed to get HTTP URL content', 'refused', { kind: 'rejected', what: 'other' }],
  [400, 'Bad Request: wrong type of the web page content', 'refused', { kind: 'rejected', what: 'other' }],
  [400, 'Bad Request: Wrong HTTP URL specified', 'refused', { kind: 'rejected', what: 'other' }],
  [400, 'Bad Request: file is too big', 'refused', { kind: 'rejected', what: 'video' }],
  [400, 'Bad Request: PHOTO_INVALID_DIMENSIONS', 'refused', { kind: 'rejected', what: 'other' }],
  [400, 'Bad Request: IMAGE_PROCESS_FAILED', 'refused', { kind: 'rejected', what: 'other' }],
  [400, 'Bad Request: FROZEN_METHOD_INVALID', 'refused', { kind: 'reconnect' }],
  [400, 'Bad Request: RANDOM_ID_DUPLICATE', null, { kind: 'rejected', what: 'other' }],
  [404, 'Not Found', 'refused', { kind: 'setup' }],
  [404, 'Not Found: method not found', 'refused', { kind: 'setup' }],
  [409, 'Conflict: terminated by other getUpdates request', null, { kind: 'setup' }],
  [413, 'Request Entity Too Large', 'refused', { kind: 'rejected', what: 'video' }],
  [429, 'Too Many Requests: retry after 17', 'retryable', { kind: 'rateLimited', scope: 'account', window: 'rate' }],
  [500, 'Internal Server Error: restart', null, { kind: 'transient' }],
  [502, 'Bad Gateway', null, { kind: 'transient' }],
];

describe('Telegram error mapping', () => {
  test.each(KNOWN)('%i "%s" proves %s', (status, description, proof, means) => {
    const given = no(status, description);
    expect(proves(given)).toBe(proof);
    const failure = failureOf(given);
    expect(failure).toMatchObject({ ...means, status, platformCode: String(status) });
    expect(failure.detail.text).toContain(description);
  });

  test.each([
    [200, {}, null],
    [200, { ok: true, result: {} }, 'done'],
    [200, '<html>', null],
    [200, '', null],
    [200, { ok: false, error_code: 400, description: 'Bad Request: chat not found' }, null],
    [400, '<html>Bad Request: chat not found</html>', null],
    [400, { ok: false, description: 'Bad Request: chat not found' }, null],
    [400, { ok: false, error_code: 403, description: 'Bad Request: chat not found' }, null],
    [400, { ok: false, error_code: 400 }, null],
    [401, '<html>', null],
    [403, '', null],
    [404, '<html>', null],
    [408, '', null],
    [413, '<html>', 'refused'],
    [429, '', 'retryable'],
    [500, '', null],
    [504, '<html>', null],
  ] as const)('%i %j in another format proves %s', (status, body, proof) => {
    expect(proves(responseOf(status, body))).toBe(proof);
  });

  test('never throws, and only 200 proves "done"', () => {
    const description = fc.oneof(fc.string(), fc.jsonValue(), fc.constantFrom(...KNOWN.map(([, words]) => words)));
    const body = fc.oneof(
      fc.string(),
      fc.jsonValue(),
      fc.record({ ok: fc.oneof(fc.boolean(), fc.jsonValue()), error_code: fc.jsonValue(), description }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), body, (status, content) => {
        const given = responseOf(status, content);
        expect(typeof codeOf(given)).toBe('string');
        expect(failureOf(given).detail.text.length).toBeLessThan(400);
        expect(waitOf(given)).toBeGreaterThanOrEqual(0);
        if (status !== 200) expect(proves(given)).not.toBe('done');
      }),
    );
  });

  test("ignores a gateway's error for the bot's state", () => {
    for (const status of [400, 401, 403, 404, 409, 418, 502])
      expect(failureOf(responseOf(status, '<html>Just a moment</html>'))).toMatchObject({ kind: 'transient', status });
  });

  test('reads the wait from body or header, within bounds', () => {
    const flood = (parameters: object, headers = {}) =>
      waitOf({ ...no(429, 'Too Many Requests', parameters), headers });
    expect(flood({ retry_after: 17 }, { 'retry-after': '99' })).toBe(17_000);
    expect(flood({}, { 'retry-after': '9' })).toBe(9_000);
    expect(flood({})).toBe(60_000);
    expect(flood({ retry_after: 9e9 })).toBe(86_400_000);
    expect(waitOf(responseOf(429, '<html>', { 'retry-after': 'soon' }))).toBe(60_000);
  });

  test('removes quoted tokens and URLs from messages', () => {
    const token = '7000000001:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';
    const { detail } = failureOf(no(400, `Bad Request: bot${token} at https://api.telegram.org/bot${token}/x`));
    expect(detail).toMatchObject({
      code: 'platform_says',
      params: { reason: { code: 'request_rejected' }, words: 'Bad Request: bot… at …' },
    });
    expect(detail.text).toMatch(/ The platform says: Bad Request: bot… at …$/);
  });
});

describe('Telegram message', () => {
  const chat = { id: -1001234567890, username: 'noraclips', type: 'channel' };

  test('has a URL and a time', () => {
    const video = { file_id: 'BAAC' };
    expect(publishedFrom({ message_id: 42, date: 1_795_000_000, chat, video }, undefined)).toEqual({
      remoteId: '42',
      url: 'https://t.me/noraclips/42',
      publishedAt: 1_795_000_000_000,
    });
    const inside = { id: -1001234567890, type: 'channel' };
    expect(publishedFrom({ message_id: 42, chat: inside, video }, '').url).toBe('https://t.me/c/1234567890/42');
  });

  test('with id 0 is a post without URL', () => {
    const published = publishedFrom({ message_id: 0, date: 1_795_000_000, chat }, undefined);
    expect(published).toMatchObject({ remoteId: null, url: null, detail: expect.stringContaining('converts') });
  });

  test('reports a file or an animation instead of a video', () => {
    const document = { file_id: 'BQAC' };
    expect(publishedFrom({ message_id: 1, chat, document }, undefined).detail).toMatch(/as a file/);
    const animation = { file_id: 'CgAC' };
    expect(publishedFrom({ message_id: 1, chat, animation, document }, undefined).detail).toMatch(/without sound/);
  });

  test.each([undefined, null, true, {}, [], { message_id: 'x' }, { message_id: -1 }, { message_id: 1.5 }])(
    '%j is rejected and proves nothing',
    (result) => {
      expect(() => publishedFrom(result, undefined)).toThrow(TypeError);
      const work = { session: { endpoints: {} } } as Parameters<typeof connector.commit.done>[0];
      expect(() => connector.commit.done(work, {}, responseOf(200, { ok: true, result }))).toThrow(TypeError);
    },
  );

  test('has no URL in an unnamed group', () => {
    expect(postUrl(undefined, { id: '-4001', username: '' }, '1')).toBeNull();
  });

  test.each([
    ['42', '42'],
    [' https://t.me/noraclips/42?single#x ', '42'],
    ['https://t.me/c/1234567890/42/', '42'],
    ['t.me/noraclips/42', '42'],
    ['nothing', 'nothing'],
  ])('reduces the Telegram id "%s"', (id, canonical) => {
    expect(connector.canonicalId(id)).toBe(canonical);
  });
});

describe('Telegram chat', () => {
  test.each([
    ['@noraclips', '@noraclips'],
    ['noraclips', '@noraclips'],
    [' https://t.me/noraclips ', '@noraclips'],
    ['t.me/noraclips/42', '@noraclips'],
    ['https://telegram.me/Nora_Clips', '@Nora_Clips'],
    ['-1001234567890', '-1001234567890'],
    ['-1004503599627370495', '-1004503599627370495'],
    ['https://t.me/c/1234567890/42', '-1001234567890'],
  ])('is parsed from "%s"', (text, name) => {
    expect(chatFrom(text)).toBe(name);
  });

  test.each([
    '',
    '@',
    '@a',
    '12',
    '9lives',
    'https://example.org/nora',
    'two words',
    'https://t.me/+AbCdEf',
    '@no.dots',
  ])('is rejected for "%s"', (text) => {
    expect(() => chatFrom(text)).toThrow(PlatformError);
  });

  test('is parsed without unexpected errors for any input', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          expect(chatsFrom(text).channel).toMatch(/^(@[a-z]\w{3,31}|-?\d{5,}|-100\d+)$/i);
        } catch (error) {
          expect(error).toBeInstanceOf(PlatformError);
        }
      }),
    );
  });
});

describe('Telegram limits', () => {
  test('are slightly below 50 MB, or 2000 MB when self-hosted', () => {
    expect(capabilitiesOf({ local: false }).video.maxBytes).toBeLessThan(50_000_000 - 500_000);
    expect(capabilitiesOf({ local: true }).video.maxBytes).toBeLessThan(2_000_000_000);
  });

  test('count captions in UTF-16 units', () => {
    const { caption } = capabilitiesOf({ local: false });
    expect(captionLength('🌅'.repeat(512), caption)).toBe(caption.maxLength);
  });
});
