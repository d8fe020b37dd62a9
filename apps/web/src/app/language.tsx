/** The language of the page: chosen by the user, else the browser's first that there is a catalog for. */
import { useLocalStorage } from '@mantine/hooks';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { IntlProvider } from 'use-intl';
import { CATALOGS, type Language, languageFor } from '../messages/index.ts';

interface LanguageChoice {
  language: Language;
  setLanguage(language: Language): void;
}

const LanguageContext = createContext<LanguageChoice | null>(null);

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [chosen, setLanguage] = useLocalStorage<Language | ''>({
    key: 'reelay-language',
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  const language = chosen || languageFor(navigator.languages);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <LanguageContext value={{ language, setLanguage }}>
      <IntlProvider locale={language} messages={CATALOGS[language]} timeZone={timeZone}>
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
