/** Messages: rendering, parameters, and what the database stores of them. */
import { describe, expect, test } from 'vitest';
import { connectors } from '../../src/connectors/registry.ts';
import { englishTable } from '../../src/messages/languages.ts';
import { MEDIA_MESSAGES } from '../../src/messages/media.ts';
import { createMessageRenderer, renderText } from '../../src/messages/message.ts';
import { RULE_MESSAGES } from '../../src/messages/rules.ts';
import { storedMessage } from '../../src/messages/stored.ts';
import { say, TIMELINE_MESSAGES } from '../../src/messages/timeline.ts';
import { WATCHING_MESSAGES } from '../../src/messages/watching.ts';

const render = createMessageRenderer(englishTable(connectors));

test('a stored message renders the text it had', () => {
  const reason = say('platform_says', {
    reason: say('request_rejected', { platform: 'X', code: '403' }),
    words: 'Not {reason}.',
  });
  const message = say('retry_in', { reason, pauseMs: 90_000 });
  expect(message.text).toBe('X rejected the request (403). The platform says: Not {reason}. Retrying in 2 min.');
  expect(render(JSON.parse(JSON.stringify(storedMessage(message))))).toBe(message.text);
});

test.each([
  ['aMs', 5_000, '5 s'],
  ['aMs', 12 * 60_000, '12 min'],
  ['aMs', 3 * 3_600_000, '3 h'],
  ['aBytes', 900, '900 bytes'],
  ['aBytes', 640_000, '640 kB'],
  ['aBytes', 12_400_000, '12.4 MB'],
  ['aBytes', 3_270_000_000, '3.3 GB'],
  ['aAt', 0, 'January 1, 1970 at 12:00 AM UTC'],
  ['a', 1_234_567, '1,234,567'],
  ['a', 29.97, '29.97'],
])('a parameter %s of %d is written as "%s"', (name, value, text) => {
  expect(renderText(`{${name}}`, { [name]: value })).toBe(text);
});

test.each([
  [1, '1 post'],
  [0, '0 posts'],
  [2, '2 posts'],
  [1.5, '1.5 posts'],
  [1_001, '1,001 posts'],
])('%d selects the form of a noun', (count, text) => {
  expect(renderText('{count} {count|post|posts}', { count })).toBe(text);
});

test('an unknown code renders as itself', () => {
  expect(render({ code: 'from_a_newer_version', params: { reason: 'x' } })).toBe('from_a_newer_version');
});

describe('what is stored', () => {
  test('has no control characters and a limited length', () => {
    const { params } = storedMessage(say('gave_up', { reason: `a\u0000b\u001b[31m${'x'.repeat(5_000)}` }));
    expect(params.reason).toMatch(/^ab\[31mx+$/);
    expect(String(params.reason).length).toBeLessThanOrEqual(1_000);
  });

  test('has no rendered texts at any depth', () => {
    const deep = say('gave_up', { reason: say('gave_up', { reason: say('internal_error') }) });
    expect(JSON.stringify(storedMessage(deep))).not.toContain('text');
  });

  test('ends at a depth of five messages', () => {
    let message = say('internal_error');
    for (let count = 0; count < 50; count++) message = say('gave_up', { reason: message });
    expect(JSON.stringify(storedMessage(message)).match(/gave_up/g)).toHaveLength(6);
  });
});

describe('the tables', () => {
  const platforms = Object.values(connectors).map(({ messages }) => messages ?? {});
  const stored = [TIMELINE_MESSAGES, MEDIA_MESSAGES, RULE_MESSAGES, WATCHING_MESSAGES, ...platforms];
  const texts = stored.flatMap((table) => Object.entries(table));

  test('have texts that are sentences', () => {
    const odd = texts.filter(([, text]) => !/^[A-Z{].*[.}…]$/s.test(text)).map(([code]) => code);
    expect(odd).toEqual([]);
  });

  test("give a platform's own messages its prefix", () => {
    for (const [id, { messages }] of Object.entries(connectors))
      for (const code of Object.keys(messages ?? {})) expect(code).toMatch(new RegExp(`^${id}\\.[a-z0-9_]+$`));
  });

  test('have shared codes without a platform', () => {
    for (const code of Object.keys({ ...TIMELINE_MESSAGES, ...RULE_MESSAGES })) expect(code).toMatch(/^[a-z0-9_]+$/);
  });

  test('have each code once', () => {
    const tables = [TIMELINE_MESSAGES, MEDIA_MESSAGES, RULE_MESSAGES].flatMap((table) => Object.keys(table));
    expect(tables.filter((code, index) => tables.indexOf(code) !== index)).toEqual([]);
  });
});
