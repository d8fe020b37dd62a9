/**
 * The message catalogs by language. English defines the keys. A catalog has two parts: the first load needs only the
 * texts of the frame and of Compose.
 */
import type { Language } from './languages.ts';
import type { ReferenceMessages } from './reference.ts';
import type { Messages, MoreMessages, Translation } from './translation.ts';

export type Catalog = Translation<Messages>;
export type MoreCatalog = Translation<MoreMessages>;

const CATALOGS: Record<Language, () => Promise<Catalog>> = {
  en: () => import('./en/index.ts').then(({ en }) => en),
  de: () => import('./de/index.ts').then(({ de }) => de),
};

const MORE: Record<Language, () => Promise<MoreCatalog>> = {
  en: () => import('./en/more.ts').then(({ more }) => more),
  de: () => import('./de/more.ts').then(({ more }) => more),
};

/** @throws TypeError if the catalog cannot be loaded, such as without a connection */
export function loadCatalog(language: Language): Promise<Catalog> {
  return CATALOGS[language]();
}

/** Loads the texts of the other pages. @throws TypeError as {@link loadCatalog} */
export function loadMore(language: Language): Promise<MoreCatalog> {
  return MORE[language]();
}

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages & MoreMessages & ReferenceMessages;
  }
}
