/** The language of the page: the user's choice, or the browser's first language that has a catalog. */
import { readLocalStorageValue, useLocalStorage } from '@mantine/hooks';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { type AbstractIntlMessages, IntlProvider } from 'use-intl';
import { CHOSEN_LANGUAGE, type Language, languageToShow, localeFor } from '../messages/languages.ts';
import { browserZone } from '../time/zone-time.ts';

interface LanguageChoice {
  language: Language;
  /** Takes effect when the language's catalog is loaded. */
  setLanguage(language: Language): void;
}

/** A language whose catalog is loaded. */
export interface LoadedLanguage {
  language: Language;
  messages: AbstractIntlMessages;
}

/** Loads the texts of the pages. @throws TypeError if they cannot be loaded, such as without a connection */
type CatalogLoader = (language: Language) => Promise<AbstractIntlMessages>;

const CHOICE = { key: CHOSEN_LANGUAGE, defaultValue: '' as Language | '' };

const LanguageContext = createContext<LanguageChoice | null>(null);

/** Loads the initial language, so that the first paint has texts. */
export function loadLanguage(loadCatalog: CatalogLoader): Promise<LoadedLanguage> {
  return load(currentLanguage(), loadCatalog);
}

/** The current language for code outside of components, such as requests. */
export function currentLanguage(): Language {
  return languageToShow(readLocalStorageValue<Language | ''>(CHOICE), navigator.languages);
}

async function load(language: Language, loadCatalog: CatalogLoader): Promise<LoadedLanguage> {
  return { language, messages: await loadCatalog(language) };
}

interface LanguageProviderProps {
  initial: LoadedLanguage;
  loadCatalog: CatalogLoader;
  children: ReactNode;
}

export function LanguageProvider({ initial, loadCatalog, children }: LanguageProviderProps) {
  const [chosen, setLanguage] = useLocalStorage<Language | ''>({ ...CHOICE, getInitialValueInEffect: false });
  const [{ language, messages }, setLoaded] = useState(initial);
  useEffect(() => {
    const wanted = languageToShow(chosen, navigator.languages);
    if (wanted === language) return;
    let isCurrent = true;
    // If the catalog cannot be loaded, the page keeps its language. The choice is stored for the next visit.
    load(wanted, loadCatalog).then(
      (loaded) => isCurrent && setLoaded(loaded),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [chosen, language, loadCatalog]);
  useEffect(() => {
    const { documentElement } = document;
    // Setting it computes the styles of all elements again, even if it stays the same.
    if (documentElement.lang !== language) documentElement.lang = language;
  }, [language]);
  return (
    <LanguageContext value={{ language, setLanguage }}>
      <IntlProvider locale={localeFor(language, navigator.languages)} messages={messages} timeZone={browserZone()}>
        {children}
      </IntlProvider>
    </LanguageContext>
  );
}

export function useLanguage(): LanguageChoice {
  const choice = useContext(LanguageContext);
  if (!choice) throw new Error('There is no language around this component.');
  return choice;
}
