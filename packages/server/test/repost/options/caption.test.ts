/** Captions of reposts: templates, hashtags, mentions, and what is left after removing them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderCaption } from '../../../src/reposts/options/caption.ts';
import { clustersOf, tokensOf } from '../../../src/reposts/options/caption-tokens.ts';
import { completeOptions, type GivenOptions } from '../../../src/reposts/options/rule-options.ts';

type Given = NonNullable<GivenOptions['caption']>;

const SOURCE = { sourceName: '@nora', url: 'https://example.org/1' };
const render = (caption: string, given: Given = {}, more: { sourceName?: string; url?: null } = {}) =>
  renderCaption(completeOptions({ caption: given }).caption, { caption, ...SOURCE, ...more });
const textOf = (...sent: Parameters<typeof render>) => render(...sent).text;
const tagsOf = (caption: string) => textOf(caption, { template: '{hashtags}' });
const tokens = (text: string) => tokensOf(clustersOf(text)).map((token) => token.text);

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        '@',
        '#',
        '＃',
        'nora',
        '.',
        '-',
        'é',
        'e\u0301',
        '👩‍👧',
        '❤️',
        '1️⃣',
        ' ',
        '\n',
        '\r\n',
        '/',
        '{url}',
        '\u200d',
        '{',
        '}',
        '🇩',
        'क्षि',
        '̈',
      ),
      { maxLength: 25 },
    )
    .map((parts) => parts.join('')),
);

describe('the template', () => {
  test.each([
    ['{caption}', 'Sea'],
    ['', ''],
    ['{caption} {url}', 'Sea https://example.org/1'],
    ['From {source}: {caption}', 'From @nora: Sea'],
    ['{{caption}} {{{caption}}}', '{caption} {Sea}'],
    ['}} } }}}', '} } }}'],
    ['{caption}{caption}', 'SeaSea'],
    ['{{', '{'],
    ['$& $1 {caption}', '$& $1 Sea'],
  ])('%s', (template, text) => {
    expect(textOf('Sea', { template })).toBe(text);
  });

  test('without options changes nothing', () => {
    fc.assert(fc.property(anyText, (caption) => textOf(caption) === caption));
  });

  test('inserts values without expanding them', () => {
    const caption = '{url} {{source}} {caption} $&';
    expect(textOf(caption, { template: '{caption}' })).toBe(caption);
    expect(textOf('x', { template: '{source}' }, { sourceName: '{caption}{x' })).toBe('{caption}{x');
    fc.assert(
      fc.property(anyText, anyText, (text, sourceName) => {
        const rendered = textOf(text, { template: '[{caption}|{source}]' }, { sourceName });
        expect(rendered).toBe(`[${text}|${sourceName}]`);
      }),
    );
  });

  test('keeps any text whose braces are doubled', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const template = text.replaceAll('{', '{{').replaceAll('}', '}}');
        expect(textOf('Sea', { template })).toBe(text.trim());
      }),
    );
  });

  test('inserts nothing for a missing URL', () => {
    expect(textOf('Sea', { template: '{caption} ({url})' }, { url: null })).toBe('Sea ()');
  });

  test.each([
    ['Sea', '#fyp', 'Sea\n#fyp'],
    ['', '#fyp', '#fyp'],
    ['Sea', '', 'Sea'],
    ['Sea', 'via {source} {{x}}', 'Sea\nvia @nora {x}'],
    ['Sea', '{url}', 'Sea\nhttps://example.org/1'],
  ])('%j with %j appended', (caption, append, text) => {
    expect(textOf(caption, { append })).toBe(text);
  });

  test('appends no empty line', () => {
    expect(textOf('Sea', { append: '{url}' }, { url: null })).toBe('Sea');
  });

  test.each([
    [{ template: 'First on {source} {url}' }, 'First on @nora'],
    [{ template: '{url} \u2003{source}' }, '@nora'],
    [{ template: '{source}\n\n{url}\r\n{hashtags}\t' }, '@nora'],
    [{ template: '{url} ', append: ' {source}' }, '@nora'],
    [{ append: '{source} {url}' }, 'Sea  at noon \n@nora'],
    [{ template: '{source}  {url} {caption}' }, '@nora    Sea  at noon'],
    [{ template: ' {url} ', append: ' \n' }, ''],
  ])('%j leaves no space at the ends', (given, text) => {
    const rendered = render(' Sea  at noon ', given, { url: null });
    expect([rendered.text, rendered.count]).toEqual([text, [...text].length]);
  });

  test('that starts with spaces shows a beginning without them', () => {
    const { text, count } = render(
      'x'.repeat(5_001),
      { template: `${' '.repeat(2_000)}\n {url}{caption}` },
      { url: null },
    );
    expect([text, count]).toEqual(['x'.repeat(1_000), 5_001]);
  });
});

describe('the length', () => {
  test('of 5,000 code points is accepted', () => {
    const rendered = render('𝒳'.repeat(5_000));
    expect([rendered.problem, rendered.text.length]).toEqual([null, 10_000]);
  });

  test('of more is reported, with the beginning', () => {
    const rendered = render('𝒳'.repeat(4_999), { append: '!' });
    expect(rendered.problem).toMatchObject({ code: 'caption_too_long', params: { count: 5_001, limit: 5_000 } });
    expect(rendered.problem?.text).toBe('Skipped: the caption has 5,001 characters. The maximum is 5,000.');
    expect(rendered.text).toBe('𝒳'.repeat(500));
  });
});

describe('hashtags', () => {
  test.each([
    ['Sea #sun and #Sand', '#sun #Sand'],
    ['#sun', '#sun'],
    ['＃夏 #été #E\u0301te\u0301 #মাঠ #สวัสดี #ドラえもん', '#夏 #été #মাঠ #สวัสดี #ドラえもん'],
    ['#year_2026 #2026ad #_x', '#year_2026 #2026ad #_x'],
    ['#1 #2026 #_ #', ''],
    ['a#b C# é#b 한#b 1#b', ''],
    ['##double &#x27; x/#y', ''],
    ['#one#two#three', '#one #two #three'],
    ['❤️#love 1️⃣#first 🇩🇪#de 👍🏽#yes (#in) "#quoted" ,#comma.', '#love #first #de #yes #in #quoted #comma'],
    ['#end, #stop. #dash-ed #who?', '#end #stop #dash #who'],
    ['#️⃣abc #🔥', ''],
    ['#سلام‌ها #می‌خواهم', '#سلام‌ها #می‌خواهم'],
    ['#Sun #sun #SUN #straße #STRASSE', '#Sun #straße'],
    ['https://example.org/#about http://x.org/a?b#c #real', '#real'],
    ['example.org/#about www.example.org#top example.org?x=#y', ''],
    ['看https://a.org/#x，#好 #b', '#好 #b'],
    ['#sea🌊 #a🏽 #ab🏽', '#sea'],
    ['#می\u200c #b', '#می #b'],
    ['#a\u0600b', '#a'],
    ['#\u0e33', ''],
    ['\u0600#a', ''],
  ])('of %s', (caption, tags) => {
    expect(tagsOf(caption)).toBe(tags);
  });

  test('are removed, and still listed', () => {
    const given = { template: '{caption}\n\n{hashtags}', removeHashtags: true };
    expect(textOf('Sea #sun at noon #sand', given)).toBe('Sea at noon\n\n#sun #sand');
  });

  test('of any kind of word are found between others', () => {
    const word = fc
      .stringMatching(/^[\p{L}][\p{L}\p{N}_]{0,10}$/u)
      // A few letters form a cluster with the space after them or, as no word begins, with the sign before them.
      .filter((text) => clustersOf(`${text} `).at(-1) === ' ' && clustersOf(`#${text}`)[0] === '#');
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { selector: (text) => text.normalize('NFKD').toUpperCase(), maxLength: 5 }),
        (words) => {
          const caption = words.map((each) => `before #${each} after`).join('\n');
          expect(tokens(caption)).toEqual(words.map((each) => `#${each}`));
        },
      ),
    );
  });
});

describe('mentions', () => {
  test.each([
    ['Hi @nora!', 'Hi!'],
    ['@nora hi', 'hi'],
    ['hi @nora', 'hi'],
    ['hi @nora there', 'hi there'],
    ['hi @nora @joe there', 'hi there'],
    ['hi  @nora  there', 'hi there'],
    ['hi @nora, @joe and @jim.', 'hi, and.'],
    ['(@nora)', '()'],
    ['(@nora said)', '(said)'],
    ['cc:@nora hi', 'cc: hi'],
    ['hi @nora :)', 'hi :)'],
    ['@nora', ''],
    ['@nora\nHello', 'Hello'],
    ['@nora\n', ''],
    ['\n @nora \n\n', ''],
    ['@nora\n\nHello', 'Hello'],
    ['Hello\n@nora', 'Hello'],
    ['Hello\n\n@nora @joe\n', 'Hello\n'],
    ['One\n@nora\nTwo', 'One\nTwo'],
    ['One\n@nora\n\nTwo', 'One\n\nTwo'],
    ['One\n\n@nora\n\nTwo', 'One\n\nTwo'],
    ['One\r\n\r\n@nora\r\n\r\nTwo', 'One\r\n\r\nTwo'],
    ['One @nora\nTwo', 'One\nTwo'],
    ['One\n  @nora two', 'One\ntwo'],
    ['@nora.smith @nora_s @nora--s @no.ra.', '.'],
    ['@nora...and', '...and'],
    ['@nora- @nora-', '- -'],
    ['@nora@example.social hi', 'hi'],
    ['@nora.example.org hi @ada·l', 'hi'],
    ['＠nora hi', 'hi'],
    ['@éva @мария @たろう x', 'x'],
    ["@nora's dog", "'s dog"],
    ['w/@nora', 'w/'],
    ['❤️@nora 1️⃣@joe', '❤️ 1️⃣'],
    ['Thanks!@nora', 'Thanks!'],
    ['Thanks.@nora.example.org', 'Thanks.'],
    ['see (@nora): x', 'see (): x'],
  ])('%j becomes %j', (caption, text) => {
    expect(textOf(caption, { removeMentions: true })).toBe(text);
  });

  test.each([
    'nora@example.org',
    'nora+news@example.org, a.b@c.example',
    'nora+@example.org',
    'Mail nora!@example.org nora$@xn--a--b.example',
    '@ nora',
    '5 € @ 3',
    '@',
    '@.x',
    'https://example.org/@nora/1?x=@y#@z',
    'example.org/@nora, example.org?u=@nora',
    'http://@host/',
    'Link:example.org/@nora',
  ])('%j stays', (caption) => {
    expect(textOf(caption, { removeMentions: true, removeHashtags: true })).toBe(caption);
  });

  test('and hashtags are removed together', () => {
    const given = { removeMentions: true, removeHashtags: true };
    expect(textOf('Sea @nora #sun @joe\n\n#a #b @c\n', given)).toBe('Sea\n');
    expect(textOf('#a#b@c d', given)).toBe('@c d');
  });

  test('leave e-mail addresses and URLs intact', () => {
    const address = fc.emailAddress().filter((text) => /[a-z0-9][^a-z0-9.]*@/i.test(text) && !text.includes('#'));
    const url = fc.webUrl({ withFragments: true, withQueryParameters: true });
    fc.assert(
      fc.property(fc.array(fc.oneof(address, url), { minLength: 1, maxLength: 4 }), (kept) => {
        const caption = kept.map((each) => `@nora ${each} #tag`).join('\n');
        expect(textOf(caption, { removeMentions: true, removeHashtags: true })).toBe(kept.join('\n'));
      }),
    );
  });
});

describe('removal from any text', () => {
  const both = { removeMentions: true, removeHashtags: true };
  const count = (clusters: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const cluster of clusters) counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
    return counts;
  };

  test('leaves texts without hashtags and mentions unchanged', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(tokens(text).length === 0);
        expect(textOf(text, both)).toBe(text);
      }),
    );
  });

  test('removes exactly the tokens and white space', () => {
    const visible = (text: string) => clustersOf(text).filter((cluster) => !/^[\s\p{Zs}]+$/u.test(cluster));
    fc.assert(
      fc.property(anyText, (text) => {
        const clusters = clustersOf(text);
        const removed = new Set(
          tokensOf(clusters).flatMap(({ start, end }) =>
            clusters
              .keys()
              .filter((at) => at >= start && at < end)
              .toArray(),
          ),
        );
        const expected = clusters.filter((cluster, at) => !removed.has(at) && !/^\s+$/.test(cluster)).join('');
        expect(visible(textOf(text, both)).join('')).toBe(visible(expected).join(''));
      }),
      { numRuns: 500 },
    );
  });

  test('adds no grapheme', () => {
    // Around a removal, what was apart may meet; words between spaces do not.
    const word = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
      fc.constantFrom('@nora', '#tag', '👩‍👧', 'e\u0301'),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const text = words.join(' ');
        const before = count(clustersOf(text));
        for (const [cluster, times] of count(clustersOf(textOf(text, both)))) {
          expect(times, JSON.stringify(cluster)).toBeLessThanOrEqual(before.get(cluster) ?? 0);
        }
      }),
    );
  });

  test('leaves no double space and no new blank line', () => {
    const piece = fc.constantFrom('@nora', '#sun', 'word', '!', 'two');
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, fc.constantFrom(' ', '\n', '\n\n')), { maxLength: 20 }), (pieces) => {
        const text = pieces.flat().join('').trimEnd();
        expect(textOf(text, both)).not.toMatch(/ {2}|^\s|\s$| \n|\n |\n{3}/);
      }),
      { numRuns: 500 },
    );
  });

  test('works on a caption of any length', () => {
    const long = 'x'.repeat(200_000);
    expect(render(`${long} @nora ${long}`, both).count).toBe(400_001);
  });

  test('takes time proportional to the text', () => {
    const time = (text: string) => {
      const start = performance.now();
      textOf(text, { ...both, template: '{caption}{hashtags}' });
      return performance.now() - start;
    };
    for (const unit of ['@a ', '#a', 'a.', 'a-', '@a@', '#\u0301', 'https://x ', '\n', '{', '@', 'a+@b.c '])
      expect(time(unit.repeat(20_000)), unit).toBeLessThan(3_000);
  });
});

test('a repeated long caption is counted, not built', () => {
  const template = '{caption}'.repeat(555);
  const rendered = render('👍'.repeat(50_000), { template, append: template });
  expect(rendered.problem?.params).toEqual({ count: 2 * 555 * 50_000 + 1, limit: 5_000 });
  expect(rendered.count).toBe(2 * 555 * 50_000 + 1);
  expect(rendered.text).toBe('👍'.repeat(500));
});
