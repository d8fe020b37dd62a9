import { Menu, useMantineColorScheme } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../messages/languages.ts';
import { useLanguage } from '../ui/language.tsx';

/**
 * Menu items for the color scheme and the language.
 * @param props.onLanguage replaces the default, which only changes the language of the page
 */
export function PreferenceItems({ onLanguage }: { onLanguage?: (language: Language) => void }) {
  const t = useTranslations('shell');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { language, setLanguage } = useLanguage();
  const choose = onLanguage ?? setLanguage;
  return (
    <>
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(value) => setColorScheme(value as typeof colorScheme)}
        aria-label={t('appearance')}
      >
        <Menu.Label>{t('appearance')}</Menu.Label>
        {(['auto', 'light', 'dark'] as const).map((scheme) => (
          <Menu.RadioItem key={scheme} value={scheme}>
            {t(`scheme.${scheme}`)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.RadioGroup value={language} onChange={(value) => choose(value as Language)} aria-label={t('language')}>
        <Menu.Label>{t('language')}</Menu.Label>
        {LANGUAGES.map((each) => (
          <Menu.RadioItem key={each} value={each} lang={each} closeMenuOnClick>
            {LANGUAGE_NAMES[each]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
