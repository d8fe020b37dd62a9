import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ChannelMessage, chatRequest } from '../../src/channels/chat-requests.ts';
import { fit } from '../../src/channels/fit.ts';
import { outcomeOf } from '../../src/channels/outcome.ts';
import { areUsableKeys, encryptPush, MAX_PUSH_BYTES } from '../../src/channels/web-push.ts';
import { chatText } from '../../src/messages/notification-chat.ts';
import type { MailedEntry } from '../../src/messages/notification-mail.ts';
import { createBrowser } from './receiver.ts';

const TEXTS = {
  latin: 'x'.repeat(5_000),
  emoji: '👨‍👩‍👧‍👦'.repeat(500),
  'right-to-left': 'שלום עולם \u202e'.repeat(450),
  markup: '*_~`|<>&[]()\\'.repeat(400),
  lines: '# - > \n'.repeat(800),
};
const URL_OF_PAGE = 'https://reelay.example/app/posts/0190';
const API = 'https://api.telegram.org';
const jsonOf = (target: Parameters<typeof chatRequest>[0], message: ChannelMessage) =>
  chatRequest(target, message, API).json as Record<string, string>;

describe.each(Object.entries(TEXTS))('a message with 5,000 characters of %s', (_, text) => {
  const message = { title: text, body: text, url: URL_OF_PAGE, tag: 'tag' };
  const short = { ...message, title: 'A post failed' };

  test('has at most 2,000 characters for Discord', () => {
    const { content = '' } = jsonOf({ kind: 'discord', url: 'https://discord.com/x' }, short);
    expect(content.length).toBeLessThanOrEqual(2_000);
    expect(content.length).toBeGreaterThan(1_900);
    expect(content.endsWith(`\n${URL_OF_PAGE}`)).toBe(true);
    expect(content.isWellFormed()).toBe(true);
  });

  test('has at most 4,096 characters for Telegram', () => {
    const { text: sent = '' } = jsonOf({ kind: 'telegram', token: '1:x', chatId: '1' }, short);
    expect(sent.length).toBeLessThanOrEqual(4_096);
    expect(sent.endsWith(URL_OF_PAGE)).toBe(true);
    expect(sent.isWellFormed()).toBe(true);
  });

  test('has at most 4,096 bytes for ntfy', () => {
    const { title = '', message: body = '' } = jsonOf({ kind: 'ntfy', url: 'https://ntfy.sh/x', token: null }, message);
    expect(Buffer.byteLength(title) + Buffer.byteLength(body)).toBeLessThanOrEqual(4_096);
    expect((title + body).isWellFormed()).toBe(true);
  });

  test('is escaped for Slack after it is cut', () => {
    const { text: sent = '' } = jsonOf({ kind: 'slack', url: 'https://hooks.slack.com/x' }, short);
    expect(sent).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
    expect(sent.length).toBeLessThan(40_000);
  });

  test('is cut in each entry', () => {
    const failed: MailedEntry = {
      kind: 'post_failed',
      url: URL_OF_PAGE,
      description: text,
      accounts: 12,
      affected: Array.from({ length: 12 }, () => ({ account: text, code: 'platform_error', detail: text })),
    };
    const one = chatText('en', 'UTC', [failed]);
    expect(one.body.length).toBeLessThan(2_000);
    expect(one.body).toContain('\n- and 9 more');
    expect(one.body).not.toContain('\u202e');
    const many = chatText('de', 'UTC', Array(30).fill(failed));
    expect(many.title).toBe('30 Dinge brauchen deine Aufmerksamkeit');
    expect(many.body.split('\n')).toHaveLength(9);
    expect(many.body).toMatch(/\nund 22 weitere$/);
  });
});

test('an encrypted message has less than 3,900 bytes', () => {
  const { keys, decrypt } = createBrowser();
  for (const length of [0, 1, 255, 256, 257, MAX_PUSH_BYTES - 1, MAX_PUSH_BYTES]) {
    const message = randomBytes(length);
    const body = encryptPush(message, keys);
    expect(body.length).toBeLessThan(3_900);
    expect(decrypt(body).equals(message)).toBe(true);
  }
  expect(() => encryptPush(randomBytes(MAX_PUSH_BYTES + 1), keys)).toThrow(RangeError);
});

test('the length of a message is hidden by padding', () => {
  const { keys } = createBrowser();
  const lengths = Array.from({ length: 250 }, (_, index) => encryptPush(Buffer.alloc(index), keys).length);
  expect(new Set(lengths).size).toBe(1);
});

test('the keys of a browser are verified', () => {
  const { p256dh, auth } = createBrowser().keys;
  expect(areUsableKeys({ p256dh, auth })).toBe(true);
  expect(areUsableKeys({ p256dh, auth: 'AAAA' })).toBe(false);
  expect(areUsableKeys({ p256dh: '', auth })).toBe(false);
  expect(areUsableKeys({ p256dh: Buffer.alloc(65, 4).toString('base64url'), auth })).toBe(false);
});

test('a text is cut to the longest beginning that fits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 3, max: 150 }), (text, limit) => {
      const cut = fit(text, limit, Buffer.byteLength);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(limit);
      if (Buffer.byteLength(text) <= limit) expect(cut).toBe(text);
      else expect(text.startsWith(cut.slice(0, -1))).toBe(true);
    }),
  );
});

test('a pause that a server asks for is bounded', () => {
  const headers = { 'retry-after': '999999999' };
  const outcome = outcomeOf({ kind: 'ntfy', host: 'ntfy.sh' }, { status: 429, headers, tryJson: () => null }, 0);
  expect(outcome).toMatchObject({ kind: 'later', afterMs: 12 * 3_600_000 });
});

test.each([
  ['https://ntfy.sh/alerts', 'https://ntfy.sh/', 'alerts'],
  ['https://example.org/ntfy/alerts', 'https://example.org/ntfy/', 'alerts'],
  ['https://ntfy.example.org:8443/a_b-C', 'https://ntfy.example.org:8443/', 'a_b-C'],
])('the topic of %s is published as JSON', (url, server, topic) => {
  const message = { title: 't', body: 'b', url: URL_OF_PAGE, tag: 'x' };
  expect(chatRequest({ kind: 'ntfy', url, token: null }, message, API)).toEqual({
    url: server,
    headers: {},
    json: { topic, title: 't', message: 'b', click: URL_OF_PAGE },
  });
});
