/** The texts of the pages that are not part of the first load. */
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { AsyncRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IntlProvider, useMessages } from 'use-intl';
import { loadMore } from '../messages/index.ts';
import type { Language } from '../messages/languages.ts';
import { currentLanguage, useLanguage } from '../ui/language.tsx';
import { loadPart } from '../ui/load-part.ts';

/** They never change, and no page can be shown without them. */
export function moreTextsQuery(language: Language) {
  return queryOptions({
    queryKey: ['texts', language],
    queryFn: () => loadPart(() => loadMore(language)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

type Texts = Awaited<ReturnType<typeof loadMore>>;

interface MoreTextsProps {
  /** Texts that are loaded already. */
  loaded?: ReadonlyMap<Language, Texts>;
  children: ReactNode;
}

/** Suspends until the texts are loaded. */
export function MoreTexts({ loaded, children }: MoreTextsProps) {
  const { language } = useLanguage();
  const { data } = useSuspenseQuery({ ...moreTextsQuery(language), initialData: loaded?.get(language) });
  const messages = useMessages();
  return (
    <IntlProvider locale={language} messages={{ ...messages, ...data }}>
      {children}
    </IntlProvider>
  );
}

/** Gives a page the texts that it needs. They are loaded together with its code. */
export function withMoreTexts(Page: AsyncRouteComponent<object>): AsyncRouteComponent<object> {
  const loaded = new Map<Language, Texts>();
  const component: AsyncRouteComponent<object> = () => (
    <MoreTexts loaded={loaded}>
      <Page />
    </MoreTexts>
  );
  component.preload = async () => {
    const language = currentLanguage();
    const [texts] = await Promise.all([loadPart(() => loadMore(language)), Page.preload?.()]);
    loaded.set(language, texts);
  };
  return component;
}
