import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import format, { type CompiledMessage } from 'icu-minify/format';
import { createTranslator } from 'use-intl/core';
import { describe, expect, test } from 'vitest';
import { compiled } from '../compiled-messages.ts';
import { de } from '../src/messages/de/index.ts';
import { more as moreDe } from '../src/messages/de/more.ts';
import { en } from '../src/messages/en/index.ts';
import { more as moreEn } from '../src/messages/en/more.ts';
import { loadCatalog, loadMore } from '../src/messages/index.ts';
import { LANGUAGES, type Language, languageFor, localeFor } from '../src/messages/languages.ts';
import { REFERENCE_CATALOGS } from '../src/messages/reference.ts';

type Catalog<Text> = { [name: string]: Text | Catalog<Text> };
type Translate = (key: string, values: Record<string, unknown>) => string;

function textsOf<Text extends CompiledMessage>(catalog: Catalog<Text>, path = ''): Map<string, Text> {
  const entries = Object.entries(catalog).flatMap(([name, value]): [string, Text][] => {
    const key = path === '' ? name : `${path}.${name}`;
    return typeof value === 'string' || Array.isArray(value)
      ? [[key, value as Text]]
      : [...textsOf(value as Catalog<Text>, key)];
  });
  return new Map(entries);
}

/** What compiled messages are formatted with. */
const INTL = {
  getNumberFormat: (...options: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...options),
  getDateTimeFormat: (...options: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
    new Intl.DateTimeFormat(...options),
  getPluralRules: (...options: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...options),
};

/** Names of placeholders, sorted. */
const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{([a-z]\w*)[,}]/g)].map(([, name]) => name))].sort();

const CATALOGS = { en, de };
const MORE = { en: moreEn, de: moreDe };
const ALL = { 'first load': CATALOGS, 'other pages': MORE, reference: REFERENCE_CATALOGS };
const cases = Object.entries(ALL).flatMap(([page, catalogs]) =>
  LANGUAGES.map((language) => ({ page, language, catalog: catalogs[language], english: textsOf(catalogs.en) })),
);

test('each language loads its own catalog', async () => {
  expect(await Promise.all(LANGUAGES.map(loadCatalog))).toEqual(LANGUAGES.map((language) => CATALOGS[language]));
  expect(await Promise.all(LANGUAGES.map(loadMore))).toEqual(LANGUAGES.map((language) => MORE[language]));
});

test('the first load has all of its texts', () => {
  const folder = fileURLToPath(new URL('../src', import.meta.url));
  // The list of notifications is loaded when it is opened. The forms of applications and accounts, the errors of passkeys and
  // the change of a post belong to pages that load their texts.
  const files = globSync('{app,service,ui,pages/compose}/**/*.{ts,tsx}', { cwd: folder }).filter(
    (file) =>
      !/^(app\/notifications\/(item|panel)|ui\/(setup\/|connect\/|prompt-error)|pages\/compose\/edit)/.test(file),
  );
  const used = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/useTranslations\('(\w+)/g)].map(([, name]) => name),
  );
  expect(used).toContain('composeTime');
  expect(used.filter((name) => !Object.hasOwn(en, name ?? ''))).toEqual([]);
});

describe.each(cases)('the catalog $language of the $page', ({ language, catalog, english }) => {
  const texts = textsOf(catalog);

  test('has exactly the texts of English', () => {
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort());
    expect([...texts].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  test('uses the same placeholders as English', () => {
    for (const [key, text] of texts) expect(placeholders(text), key).toEqual(placeholders(english.get(key) ?? ''));
  });

  test('can be rendered with every count', () => {
    const problems: string[] = [];
    const t = createTranslator({
      locale: language,
      messages: catalog,
      onError: (error) => void problems.push(error.message),
    }) as unknown as Translate;
    for (const [key, text] of texts)
      for (const count of [0, 1, 2, 5]) {
        const values = Object.fromEntries(placeholders(text).map((name) => [name, count]));
        expect(t(key, values), key).not.toContain('{');
      }
    expect(problems).toEqual([]);
  });

  test('reads the same after it is compiled for the browser', () => {
    const t = createTranslator({ locale: language, messages: catalog }) as unknown as Translate;
    const compiledTexts = textsOf<CompiledMessage>(compiled(catalog));
    for (const [key, text] of texts)
      for (const count of [0, 1, 2, 1_000]) {
        const values = Object.fromEntries(placeholders(text).map((name) => [name, count]));
        const message = compiledTexts.get(key) ?? '';
        expect(format(message, language, values, { formatters: INTL }), key).toBe(t(key, values));
      }
  });
});

test('the first preferred language with a catalog is chosen', () => {
  expect(languageFor(['fr-FR', 'de-AT', 'en'])).toBe('de');
  expect(languageFor(['EN-us'])).toBe('en');
  expect(languageFor(['fr', 'constructor'])).toBe('en');
  expect(languageFor([])).toBe('en');
});

test.each<[string, string[], Language]>([
  ['en-GB', ['en-GB', 'en-US'], 'en'],
  ['de-AT', ['fr-FR', 'de-AT', 'en'], 'de'],
  ['en', ['de-DE'], 'en'],
  ['en', ['en_GB@evil', 'fr'], 'en'],
  ['en', [], 'en'],
])('the locale is %s of %j', (expected, preferred, language) => {
  expect(localeFor(language, preferred)).toBe(expected);
});
