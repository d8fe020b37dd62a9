/** The texts of the pages that are not part of the first load. */
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { AsyncRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IntlProvider, useMessages } from 'use-intl';
import { loadMore } from '../messages/index.ts';
import type { Language } from '../messages/languages.ts';
import { currentLanguage, useLanguage } from '../ui/language.tsx';

/** They never change, and no page can be shown without them. */
export function moreTextsQuery(language: Language) {
  return queryOptions({
    queryKey: ['texts', language],
    queryFn: () => loadMore(language),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** Suspends until the texts are loaded. */
export function MoreTexts({ children }: { children: ReactNode }) {
  const { language } = useLanguage();
  const { data } = useSuspenseQuery(moreTextsQuery(language));
  const messages = useMessages();
  return (
    <IntlProvider locale={language} messages={{ ...messages, ...data }}>
      {children}
    </IntlProvider>
  );
}

/** Gives a page the texts that it needs. They are loaded together with its code. */
export function withMoreTexts(Page: AsyncRouteComponent<object>): AsyncRouteComponent<object> {
  const component: AsyncRouteComponent<object> = () => (
    <MoreTexts>
      <Page />
    </MoreTexts>
  );
  component.preload = async () => void (await Promise.all([Page.preload?.(), loadMore(currentLanguage())]));
  return component;
}
