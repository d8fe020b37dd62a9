import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { facetsOf, findAll, graphemes, handlesIn } from '../../src/connectors/bluesky/record.ts';
import { at, numberAt, textAt } from '../../src/connectors/kit/json.ts';

const DIDS = { 'nora.test': 'did:plc:nora', 'ola.bsky.social': 'did:plc:ola' };

/** Returns the text ranges and targets of all facets. */
function pieces(text: string, dids: Record<string, string> = DIDS): [string, string][] {
  const bytes = Buffer.from(text);
  return facetsOf(text, dids).map((facet) => {
    const [start, end] = [numberAt(facet, 'index', 'byteStart') ?? -1, numberAt(facet, 'index', 'byteEnd') ?? -1];
    const feature = at(facet, 'features', 0);
    const target = textAt(feature, 'uri') || textAt(feature, 'tag') || textAt(feature, 'did');
    return [bytes.subarray(start, end).toString('utf8'), target];
  });
}

describe('Bluesky facets', () => {
  test('have byte ranges for links, tags, and mentions', () => {
    const text = 'Sunset run #sea by @nora.test https://clip.example/a?b=1#c';
    expect(facetsOf(text, DIDS)).toEqual([
      { index: { byteStart: 11, byteEnd: 15 }, features: [{ $type: 'app.bsky.richtext.facet#tag', tag: 'sea' }] },
      {
        index: { byteStart: 19, byteEnd: 29 },
        features: [{ $type: 'app.bsky.richtext.facet#mention', did: 'did:plc:nora' }],
      },
      {
        index: { byteStart: 30, byteEnd: 58 },
        features: [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://clip.example/a?b=1#c' }],
      },
    ]);
  });

  test.each([
    ['emoji of several code points', '👩‍👩‍👧‍👦 #mer', [['#mer', 'mer']]],
    ['combining marks', 'cafe\u0301 #cafe\u0301', [['#cafe\u0301', 'cafe\u0301']]],
    [
      'writing from right to left',
      'שקיעה #ים @nora.test',
      [
        ['#ים', 'ים'],
        ['@nora.test', 'did:plc:nora'],
      ],
    ],
    [
      'Arabic',
      'غروب #بحر https://clip.example',
      [
        ['#بحر', 'بحر'],
        ['https://clip.example', 'https://clip.example'],
      ],
    ],
    [
      'wide signs',
      '夕日 ＃海 #夕日',
      [
        ['＃海', '海'],
        ['#夕日', '夕日'],
      ],
    ],
    ['an emoji as tag', '#🌅', [['#🌅', '🌅']]],
    ['flags', '🇳🇴🇩🇰 @nora.test!', [['@nora.test', 'did:plc:nora']]],
  ])('have correct byte offsets with %s', (_name, text, found) => {
    expect(pieces(text)).toEqual(found);
  });

  test.each([
    ['a full stop', 'See https://clip.example/a. Yes', ['https://clip.example/a']],
    ['brackets', '(https://clip.example/a)', ['https://clip.example/a']],
    ['its own brackets', 'https://clip.example/a_(b)', ['https://clip.example/a_(b)']],
    ['a comma and quotes', '“https://clip.example/a”, then', ['https://clip.example/a']],
    ['a word in front', 'xhttps://clip.example', []],
    ['nothing behind it', 'https://', []],
  ])('end a link correctly with %s', (_name, text, uris) => {
    expect(findAll(text).flatMap((found) => (found.kind === 'link' ? [found.uri] : []))).toEqual(uris);
  });

  test.each([
    ['a tag followed by punctuation', 'Go #run!!!', ['run']],
    ['digits alone', '#1 and #2026', []],
    ['digits and letters', '#2k', ['2k']],
    ['a "#" inside a word', 'C#sharp a#b', []],
    ['two signs', '##run', []],
    ['tags without space between', '#sea#sun', ['sea']],
    ['the key of a keypad', '#️⃣ one', []],
    ['a line break in front', 'a\n#b', ['b']],
    ['64 characters', `#${'a'.repeat(64)}`, ['a'.repeat(64)]],
    ['65 characters', `#${'a'.repeat(65)}`, []],
    ['more than 640 bytes', `#${'👩‍👩‍👧‍👦'.repeat(30)}`, []],
  ])('find tags: %s', (_name, text, tags) => {
    expect(findAll(text).flatMap((found) => (found.kind === 'tag' ? [found.tag] : []))).toEqual(tags);
  });

  test.each([
    ['a full stop behind', 'With @nora.test.', ['nora.test']],
    ['brackets', '(@nora.test)', ['nora.test']],
    ['capitals', '@Nora.Test', ['nora.test']],
    ['a mail address', 'nora@nora.test', []],
    ['no dot', '@nora', []],
    ['a Mastodon name', '@nora@mas.to', []],
    ['twice the same', '@nora.test @nora.test', ['nora.test']],
    ['a hyphen at an end', '@-nora.test', []],
  ])('find mentions: %s', (_name, text, handles) => {
    expect(handlesIn(text)).toEqual(handles);
  });

  test('leave an unresolved mention as plain text', () => {
    expect(facetsOf('@nobody.test', {})).toEqual([]);
    expect(facetsOf('@to.string', Object.create({ 'to.string': 'did:plc:x' }))).toEqual([]);
  });

  const word = fc.oneof(
    fc.constantFrom(
      '#sea',
      '#日本',
      '@nora.test',
      '@ola.bsky.social',
      'https://clip.example/ü?x',
      '👩‍👩‍👧‍👦',
      'e\u0301',
      'ים',
      '\u200f',
      '(',
      ').',
      '#',
      '@',
      '\n',
    ),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  const texts = fc
    .array(word, { maxLength: 20 })
    .chain((words) => fc.constantFrom(' ', '', '\u00a0').map((glue) => words.join(glue)))
    .map((text) => text.toWellFormed());

  test('lie inside the text on whole characters without overlap', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const bytes = Buffer.from(text);
        let before = 0;
        for (const facet of facetsOf(text, DIDS)) {
          const start = numberAt(facet, 'index', 'byteStart') ?? -1;
          const end = numberAt(facet, 'index', 'byteEnd') ?? -1;
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(bytes.length);
          const piece = bytes.subarray(start, end).toString('utf8');
          expect(Buffer.from(piece).equals(bytes.subarray(start, end))).toBe(true);
          const feature = at(facet, 'features', 0);
          const [uri, tag, did] = [textAt(feature, 'uri'), textAt(feature, 'tag'), textAt(feature, 'did')];
          if (uri) expect(piece).toBe(uri);
          else if (tag) expect(piece.slice(1)).toBe(tag);
          else expect(DIDS[piece.slice(1).toLowerCase() as keyof typeof DIDS]).toBe(did);
          before = end;
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('do not depend on the text before them', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const shift = Buffer.byteLength('👩‍👩‍👧‍👦 שלום ');
        const moved = facetsOf(`👩‍👩‍👧‍👦 שלום ${text}`, DIDS).map((facet) => numberAt(facet, 'index', 'byteStart'));
        const plain = facetsOf(text, DIDS).map((facet) => (numberAt(facet, 'index', 'byteStart') ?? 0) + shift);
        expect(moved).toEqual(plain);
      }),
      { numRuns: 500 },
    );
  });
});

test('characters are counted as users perceive them', () => {
  expect(graphemes('👩‍👩‍👧‍👦e\u0301🇳🇴')).toBe(3);
  expect(graphemes('')).toBe(0);
});
