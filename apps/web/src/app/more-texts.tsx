/** The texts of the pages that are not part of the first load. */
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { type ComponentType, createElement, type ReactNode } from 'react';
import { IntlProvider, useLocale, useMessages } from 'use-intl';
import { loadMore } from '../messages/index.ts';
import type { Language } from '../messages/languages.ts';
import { textKeys } from '../queries/keys.ts';
import { currentLanguage, useLanguage } from '../ui/language.tsx';
import { loadPart } from '../ui/load-part.ts';

/** The texts never change, and no page can be shown without them. */
export function moreTextsQuery(language: Language) {
  return queryOptions({
    queryKey: textKeys.of(language),
    queryFn: () => loadPart(() => loadMore(language)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

type Texts = Awaited<ReturnType<typeof loadMore>>;

interface MoreTextsProps {
  loaded: ReadonlyMap<Language, Texts>;
  children: ReactNode;
}

/** Suspends until the texts of another language are loaded. */
function MoreTexts({ loaded, children }: MoreTextsProps) {
  const { language } = useLanguage();
  const { data } = useSuspenseQuery({ ...moreTextsQuery(language), initialData: loaded.get(language) });
  const messages = useMessages();
  const locale = useLocale();
  return (
    <IntlProvider locale={locale} messages={{ ...messages, ...data }}>
      {children}
    </IntlProvider>
  );
}

/** Loads a page or a part together with the texts that it needs. */
export function withMoreTexts<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): () => Promise<ComponentType<Props>> {
  return async () => {
    const language = currentLanguage();
    const [Part, texts] = await Promise.all([load(), loadMore(language)]);
    const loaded = new Map([[language, texts]]);
    return (props) => <MoreTexts loaded={loaded}>{createElement<Props>(Part, props)}</MoreTexts>;
  };
}
