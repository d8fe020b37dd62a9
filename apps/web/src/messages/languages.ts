/** The languages of the pages. */
export const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGE_NAMES;

export const LANGUAGES = Object.keys(LANGUAGE_NAMES) as Language[];

/** The first of the preferred languages (BCP 47) that has a catalog, otherwise English. */
export function languageFor(preferred: readonly string[]): Language {
  const known = preferred.map((tag) => tag.split('-')[0]?.toLowerCase() ?? '');
  return (known.find((tag) => Object.hasOwn(LANGUAGE_NAMES, tag)) as Language | undefined) ?? 'en';
}
