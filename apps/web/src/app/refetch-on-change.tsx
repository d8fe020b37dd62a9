import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { userKeys } from '../queries/keys.ts';
import { useLanguage } from '../ui/language.tsx';

/** Reads what is on the page again after a change of the language, because it contains texts of the service. */
export function RefetchOnChange() {
  const { language } = useLanguage();
  const queries = useQueryClient();
  const shown = useRef(language);
  useEffect(() => {
    if (shown.current === language) return;
    shown.current = language;
    // The user contains no texts. Read before the new language is stored, it would bring the old one back.
    void queries.invalidateQueries({ predicate: ({ queryKey: [root] }) => root !== userKeys.all[0] });
  }, [language, queries]);
  return null;
}
