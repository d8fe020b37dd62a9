/** The stored language of the signed-in user, which applies to all devices and mails. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Language } from '../messages/languages.ts';
import { useClient } from '../queries/client.ts';
import { useEditUser, userQuery } from '../queries/user.ts';
import { useLanguage } from './language.tsx';

/** Switches the page to the user's language, also after a change on another device or a refused change. */
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
