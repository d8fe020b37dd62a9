/** The language that is stored with the signed-in user. It is used on every device, and in mails. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Language } from '../messages/languages.ts';
import { useClient } from '../queries/client.ts';
import { useEditUser, userQuery } from '../queries/user.ts';
import { useLanguage } from './language.tsx';

/** Shows the page in the user's language, also after it was changed elsewhere or a change was refused. */
export function useUserLanguage(): void {
  const { data: user } = useQuery(userQuery(useClient()));
  const { setLanguage } = useLanguage();
  const show = useEffectEvent((stored: Language) => setLanguage(stored));
  const stored = user?.language;
  useEffect(() => {
    if (stored) show(stored);
  }, [stored]);
}

/** @returns changes the language of the page, and stores it with the user */
export function useChooseLanguage(): (language: Language) => void {
  const { setLanguage } = useLanguage();
  const edit = useEditUser();
  return (language) => {
    setLanguage(language);
    edit.mutate({ language });
  };
}
