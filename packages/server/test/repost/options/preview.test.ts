/** Previews of a repost's caption, and the privacy of each destination. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectors } from '../../../src/connectors/registry.ts';
import { ReelayError } from '../../../src/errors/reelay-error.ts';
import { captionProblemWith } from '../../../src/publishing/suitability.ts';
import { renderCaption } from '../../../src/reposts/options/caption.ts';
import { type PreviewDestination, previewCaption } from '../../../src/reposts/options/preview.ts';
import { checkPrivacy, type PrivateDestination, privacyOptions } from '../../../src/reposts/options/privacy.ts';
import { completeOptions } from '../../../src/reposts/options/rule-options.ts';

const render = (caption: string, template = '{caption}') =>
  renderCaption(completeOptions({ caption: { template } }).caption, { caption, sourceName: '@nora', url: null });

function destination(platform: string, options: PreviewDestination['options'] = {}): PreviewDestination {
  const connector = connectors[platform];
  if (!connector) throw new Error(`No connector ${platform}.`);
  return { accountId: platform, capabilities: connector.capabilities, options, connector };
}
const all = Object.keys(connectors).map((platform) => destination(platform));

describe('a preview', () => {
  test("counts in each platform's units", () => {
    const [x, bluesky, tiktok] = previewCaption(render('🏃‍♀️ https://example.org/long/path'), [
      destination('x'),
      destination('bluesky'),
      destination('tiktok'),
    ]);
    expect(x).toMatchObject({ accountId: 'x', count: 26, limit: 280, problem: null });
    expect(bluesky).toMatchObject({ count: 31, limit: 300, problem: null });
    expect(tiktok).toMatchObject({ count: 35, limit: 2_200, problem: null });
  });

  test('counts options that lengthen the text', () => {
    const [one] = previewCaption(render('x'.repeat(490)), [destination('mastodon', { spoilerText: 'y'.repeat(11) })]);
    expect(one).toMatchObject({ count: 501, limit: 500, text: 'x'.repeat(490) });
    expect(one?.problem?.text).toBe('The text has 501 characters. The maximum is 500.');
  });

  test('reports a limit of bytes', () => {
    const limited = {
      ...destination('x'),
      capabilities: { caption: { maxLength: 300, maxBytes: 10, unit: 'codepoints' } },
    } as const;
    const [one] = previewCaption(render('ééééééé'), [limited]);
    expect(one).toMatchObject({ count: 7, limit: 300, problem: { code: 'text_too_large' } });
  });

  test("reports a platform's own rule", () => {
    const [one] = previewCaption(render('https://a.example/1 https://a.example/2 '.repeat(6)), [
      destination('threads'),
    ]);
    expect(one?.problem).toBeNull();
    const links = Array.from({ length: 6 }, (_, n) => `https://a.example/${n}`).join(' ');
    expect(previewCaption(render(links), [destination('threads')])[0]?.problem?.code).toBe('threads.too_many_links');
  });

  test('reports texts that are too long for any post', () => {
    const codes = previewCaption(render('x'.repeat(5_001)), all).map(({ problem }) => problem?.code);
    expect(new Set(codes)).toEqual(new Set(['caption_too_long']));
    expect(previewCaption(render('x'.repeat(5_001)), all)[0]).toMatchObject({ text: 'x'.repeat(1_000), count: 5_001 });
  });

  test('agrees with the check before posting', () => {
    const caption = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.nat(5_000).map((length) => 'é'.repeat(length)),
    );
    fc.assert(
      fc.property(caption, (text) => {
        for (const each of previewCaption(render(text), all)) {
          const connector = connectors[each.accountId];
          const expected =
            (connector && captionProblemWith(connector, connector.capabilities, { text, options: {} })) ??
            connector?.textProblem?.(text) ??
            null;
          expect(each).toMatchObject({ text, problem: expected });
          if (each.count > each.limit) expect(each.problem).not.toBeNull();
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('privacy', () => {
  const at = (platform: string, choiceValues = {}): PrivateDestination => {
    const connector = connectors[platform];
    if (!connector) throw new Error(`No connector ${platform}.`);
    return { id: `id-${platform}`, username: 'nora', choiceValues, connector };
  };
  const codeOf = (given: Record<string, string>, ...destinations: PrivateDestination[]) => {
    try {
      checkPrivacy(given, destinations);
      return null;
    } catch (error) {
      if (!(error instanceof ReelayError)) throw error;
      return `${error.code}: ${error.message}`;
    }
  };

  test("is one of each platform's values", () => {
    expect(codeOf({ 'id-tiktok': 'SELF_ONLY', 'id-youtube': 'unlisted' }, at('tiktok'), at('youtube'))).toBeNull();
    expect(codeOf({}, at('x'))).toBeNull();
    expect(codeOf({ 'id-youtube': 'friends' }, at('youtube'))).toBe(
      'invalid_request: The privacy of YouTube @nora (id-youtube) must be one of: public, unlisted, private.',
    );
  });

  test('is limited to what the account allows', () => {
    expect(codeOf({ 'id-tiktok': 'PUBLIC_TO_EVERYONE' }, at('tiktok', { privacy: ['SELF_ONLY'] }))).toBe(
      'invalid_request: The privacy of TikTok @nora (id-tiktok) must be one of: SELF_ONLY.',
    );
  });

  test('needs a destination with such a setting', () => {
    expect(codeOf({ other: 'public' }, at('tiktok'))).toBe(
      'invalid_request: The privacy of "other" was sent, which is no destination of the rule.',
    );
    expect(codeOf({ 'id-x': 'public' }, at('x'))).toBe(
      'invalid_request: The privacy of X @nora (id-x) cannot be set: X has no such setting.',
    );
  });

  test('becomes an option of the post', () => {
    expect(privacyOptions({ a: 'public' }, 'a')).toEqual({ privacy: 'public' });
    expect(privacyOptions({ a: 'public' }, 'b')).toEqual({});
    expect(privacyOptions({}, 'constructor')).toEqual({});
  });
});
