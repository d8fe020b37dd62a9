/** The message catalogs by language. English defines the keys. A catalog is loaded when its language is shown. */
import type { Language } from './languages.ts';
import type { ReferenceMessages } from './reference.ts';
import type { Messages, Translation } from './translation.ts';

export type Catalog = Translation<Messages>;

const CATALOGS: Record<Language, () => Promise<Catalog>> = {
  en: () => import('./en/index.ts').then(({ en }) => en),
  de: () => import('./de/index.ts').then(({ de }) => de),
};

/** @throws TypeError if the catalog cannot be loaded, such as without a connection */
export function loadCatalog(language: Language): Promise<Catalog> {
  return CATALOGS[language]();
}

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages & ReferenceMessages;
  }
}
