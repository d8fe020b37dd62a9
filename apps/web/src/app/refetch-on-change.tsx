import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { userKeys } from '../queries/keys.ts';
import { useLanguage } from '../ui/language.tsx';

/** Refetches the queries of the page after a change of the language, because responses contain texts. */
export function RefetchOnChange() {
  const { language } = useLanguage();
  const queries = useQueryClient();
  const shown = useRef(language);
  useEffect(() => {
    if (shown.current === language) return;
    shown.current = language;
    // The user contains no texts. If it was read before the new language is stored, it would restore the old language.
    void queries.invalidateQueries({ predicate: ({ queryKey: [root] }) => root !== userKeys.all[0] });
  }, [language, queries]);
  return null;
}
