/** The message catalogs by language. English defines the keys. */
import { de } from './de/index.ts';
import { en } from './en/index.ts';
import type { Messages, Translation } from './translation.ts';

export const CATALOGS = { en, de } satisfies Record<string, Translation<Messages>>;

export type Language = keyof typeof CATALOGS;

export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch' };

/** The first of the preferred languages (BCP 47) that has a catalog; English if there is none. */
export function languageFor(preferred: readonly string[]): Language {
  const known = preferred.map((tag) => tag.split('-')[0]?.toLowerCase() ?? '');
  return (known.find((tag) => Object.hasOwn(CATALOGS, tag)) as Language | undefined) ?? 'en';
}

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages;
  }
}
