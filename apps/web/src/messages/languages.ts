/** The languages of the pages. */
export const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGE_NAMES;

/** Key in `localStorage` of the language that the user chose, as JSON. */
export const CHOSEN_LANGUAGE = 'reelay-language';

export const LANGUAGES = Object.keys(LANGUAGE_NAMES) as Language[];

/**
 * The locale for dates, times and numbers: the user's region, if a preferred locale (BCP 47) has the page's language. So the
 * clock has 12 or 24 hours as at home.
 */
export function localeFor(language: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => languageOf(tag) === language && isLocale(tag)) ?? language;
}

/** The first of the preferred languages (BCP 47) that has a catalog, otherwise English. */
export function languageFor(preferred: readonly string[]): Language {
  return preferred.map(languageOf).find((language) => language !== null) ?? 'en';
}

/** The language of the page. @param chosen as stored, so it may be invalid @param preferred as in {@link languageFor} */
export function languageToShow(chosen: unknown, preferred: readonly string[]): Language {
  return LANGUAGES.find((each) => each === chosen) ?? languageFor(preferred);
}

/** The language of a locale; null if it has no catalog. */
function languageOf(tag: string): Language | null {
  const language = tag.split('-')[0]?.toLowerCase();
  return LANGUAGES.find((each) => each === language) ?? null;
}

/** Browsers report only valid locales, but extensions change them, and an invalid one would end the page. */
function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
