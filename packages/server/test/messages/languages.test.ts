/** The tables of other languages: complete, and without English texts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectors } from '../../src/connectors/registry.ts';
import { unitOf } from '../../src/messages/error-parts.ts';
import { problemMessage } from '../../src/messages/error-texts.ts';
import { acceptedLanguage, createLanguages, englishTable, germanTable } from '../../src/messages/languages.ts';
import type { MessageParam, MessageRef } from '../../src/messages/message.ts';
import { say } from '../../src/messages/timeline.ts';

const english = englishTable(connectors);
const german = await germanTable(connectors);
const { render } = await createLanguages(connectors).texts('de');

const placeholders = (text = '') =>
  [...new Set([...text.matchAll(/\{(\w+)(?:\|[^{}]*)?\}/g)].map(([, name = '']) => name))].sort();

/** Texts that are the same in both languages: names, codes and placeholders only. */
const SAME = /^(?:[\s().:,]|\{[^{}]+\}|PostgreSQL|JSON|XML|Text|Server|Worker|Sandbox|ffmpeg|text)*$/;

test('every English text has a German one, and no other', () => {
  expect(Object.keys(german).sort()).toEqual(Object.keys(english).sort());
});

test('German texts have the placeholders of the English ones', () => {
  for (const [code, text] of Object.entries(german))
    expect([code, placeholders(text)]).toEqual([code, placeholders(english[code])]);
});

test('no German text is the English one', () => {
  const same = Object.entries(german).filter(([code, text]) => text === english[code] && !SAME.test(text));
  expect(same).toEqual([]);
});

describe('rendering', () => {
  const codes = fc.constantFrom(...Object.keys(german));
  const ref: fc.Arbitrary<MessageRef> = fc.letrec<{ ref: MessageRef; param: MessageParam }>((tie) => ({
    ref: codes.chain((code) =>
      fc
        .record(Object.fromEntries(placeholders(german[code]).map((name) => [name, tie('param')])))
        .map((params) => ({ code, params: params as MessageRef['params'] })),
    ),
    param: fc.oneof(
      { maxDepth: 2 },
      fc.integer({ min: 0, max: 4e12 }),
      fc.constantFrom('a word', '{value}'),
      tie('ref'),
      fc.array(tie('ref'), { maxLength: 2 }),
    ),
  })).ref;

  test('any message with any parameters is German and complete', () => {
    fc.assert(
      fc.property(ref, (message) => {
        const text = render(message);
        // The parameters may contain braces; the text of a table never keeps one.
        expect(text.replaceAll('{value}', '').replaceAll('„{{“', '')).not.toMatch(/\{[\w|]*\}/);
        for (const inner of withInner(message)) {
          const template = english[inner.code] ?? '';
          const longest = template.split(/\{[^{}]+\}/).sort((one, other) => other.length - one.length)[0] ?? '';
          if (longest.length > 12) expect(text).not.toContain(longest);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['aMs', 5_000, '5 s'],
    ['aBytes', 900, '900 Byte'],
    ['aBytes', 12_400_000, '12,4 MB'],
    ['anAt', 0, '1. Januar 1970 um 00:00 UTC'],
    ['a', 1_234_567.5, '1.234.567,5'],
  ])('a parameter %s of %d is written as "%s"', (name, value, text) => {
    const languages = createLanguages({
      toy: { messages: {}, translations: { de: async () => ({ 'toy.a': `{${name}}` }) } },
    });
    return expect(
      languages.texts('de').then((texts) => texts.render({ code: 'toy.a', params: { [name]: value } })),
    ).resolves.toBe(text);
  });

  test.each([
    ['en', 1, 'Your plan allows 1 rule. You have used 1.'],
    ['en', 5, 'Your plan allows 5 rules. You have used 5.'],
    ['de', 1, 'Dein Tarif erlaubt 1 Regel. Genutzt: 1.'],
    ['de', 5, 'Dein Tarif erlaubt 5 Regeln. Genutzt: 5.'],
  ] as const)('gives the right plan limit in %s for %d', async (language, value, text) => {
    const texts = await createLanguages(connectors).texts(language);
    const message = problemMessage('plan_allows', { value, unit: unitOf('rules', { value }), used: value });
    expect(texts.render(message)).toBe(text);
  });

  test.each([
    ['Europe/Berlin', 'en', 'July 1, 2026 at 2:00 PM GMT+2'],
    ['America/New_York', 'en', 'July 1, 2026 at 8:00 AM EDT'],
    ['Europe/Berlin', 'de', '1. Juli 2026 um 14:00 MESZ'],
  ] as const)('gives a time in %s as %s with zone', async (zone, language, text) => {
    const texts = await createLanguages(connectors).texts(language);
    expect(texts.renderIn(zone)(say('scheduled', { dueAt: Date.UTC(2026, 6, 1, 12) }))).toContain(text);
  });

  test('has no noun with one form after a number', () => {
    const fixed =
      /\{(?:limit|count|used|value|minutes|sends|crashes|parts)\} (?:entries|rules|channels|hashtags|mentions|links|frames)\b/;
    expect(Object.entries(english).filter(([, text]) => fixed.test(text))).toEqual([]);
  });

  test("gives a stored line in its reader's language", () => {
    const reason = say('platform_says', { reason: say('rate_limited', { platform: 'X' }), words: 'Slow down.' });
    const { code, params } = say('retry_in', { reason, pauseMs: 90_000 });
    expect(render({ code, params })).toBe(
      'X begrenzt die Anfragen. Meldung der Plattform: „Slow down.“ Neuer Versuch in 2 min.',
    );
  });

  test('an unknown code renders as itself', () => {
    expect(render({ code: 'from_a_newer_version', params: {} })).toBe('from_a_newer_version');
    expect(render({ code: 'constructor', params: {} })).toBe('constructor');
  });
});

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['fr-FR, de;q=0.5', 'de'],
  ['en-GB,de', 'en'],
  ['de;q=0.1,en;q=0.9', 'en'],
  ['de;q=0', 'en'],
  ['fr, es', 'en'],
  ['DE', 'de'],
  [';;q=,,,', 'en'],
  [`${'x,'.repeat(5_000)}de`, 'en'],
])('Accept-Language %s chooses %s', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language);
});

function withInner(message: MessageRef): MessageRef[] {
  const inner = Object.values(message.params).flatMap((param) => (typeof param === 'object' ? [param].flat() : []));
  return [message, ...(inner as MessageRef[]).flatMap(withInner)];
}
