import type { ReelayClient } from '@reelay/sdk';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useCallback } from 'react';
import { loadCatalog } from '../messages/index.ts';
import type { Language } from '../messages/languages.ts';
import { ClientProvider } from '../queries/client.ts';
import { LanguageProvider, type LoadedLanguage } from '../ui/language.tsx';
import { loadPart } from '../ui/load-part.ts';
import { moreTextsQuery } from './more-texts.tsx';
import { RefetchOnChange } from './refetch-on-change.tsx';
import type { AppRouter } from './router.tsx';
import { ThemeProvider } from './theme.tsx';

interface AppProps {
  client: ReelayClient;
  queries: QueryClient;
  router: AppRouter;
  language: LoadedLanguage;
}

/** The dashboard with the providers that its pages need. */
export function App({ client, queries, router, language }: AppProps) {
  // The open page may need all texts of another language immediately.
  const loadAll = useCallback(
    async (wanted: Language) => {
      const [catalog] = await Promise.all([
        loadPart(() => loadCatalog(wanted)),
        queries.ensureQueryData(moreTextsQuery(wanted)),
      ]);
      return catalog;
    },
    [queries],
  );
  return (
    <ThemeProvider>
      <LanguageProvider initial={language} loadCatalog={loadAll}>
        <ClientProvider value={client}>
          <QueryClientProvider client={queries}>
            <RefetchOnChange />
            <RouterProvider router={router} />
          </QueryClientProvider>
        </ClientProvider>
      </LanguageProvider>
    </ThemeProvider>
  );
}
