import { describe, expect, test } from 'vitest';
import { matchesSearch } from '../src/ui/text-search.ts';

describe('a search matches', () => {
  test.each([
    ['', ['Nora']],
    ['  ', ['Nora']],
    ['nor', ['Nora']],
    ['ora tik', ['TikTok', 'nora']],
    ['jose', ['José']],
    ['JOSÉ', ['jose']],
    ['strasse', ['Strasse']],
    ['ﬁlm', ['Film']],
    ['日本', ['日本の毎日']],
  ])('%j in %j', (search, texts) => {
    expect(matchesSearch(search, texts)).toBe(true);
  });

  test.each([
    ['nora x', ['Nora']],
    ['noratik', ['Nora', 'TikTok']],
    ['.*', ['Nora']],
  ])('no %j in %j', (search, texts) => {
    expect(matchesSearch(search, texts)).toBe(false);
  });
});
