/** Renders components in a simulated page, with what surrounds them in the dashboard. The service is a fake of the SDK. */

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { type RenderResult, render as renderElement } from '@testing-library/react';
import { type UserEvent, userEvent } from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { ThemeProvider } from '../../src/app/theme.tsx';
import { en } from '../../src/messages/en/index.ts';
import { more } from '../../src/messages/en/more.ts';
import { ClientProvider } from '../../src/queries/client.ts';
import { LanguageProvider } from '../../src/ui/language.tsx';
import { fakeClient, type GivenCalls } from './fake-client.ts';

export interface Rendered extends RenderResult {
  user: UserEvent;
  queries: QueryClient;
}

/** Shows an element as the dashboard would, in English. */
export function render(element: ReactElement, calls: GivenCalls = {}): Rendered {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false }, mutations: { retry: false } } });
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  const messages = { ...en, ...more };
  const around = (shown: ReactElement) => (
    <ThemeProvider>
      <LanguageProvider initial={{ language: 'en', messages }} loadCatalog={async () => messages}>
        <ClientProvider value={fakeClient(calls)}>
          <QueryClientProvider client={queries}>
            <RouterContextProvider router={router}>{shown}</RouterContextProvider>
          </QueryClientProvider>
        </ClientProvider>
      </LanguageProvider>
    </ThemeProvider>
  );
  const result = renderElement(around(element));
  return {
    ...result,
    rerender: (changed) => result.rerender(around(changed as ReactElement)),
    user: userEvent.setup(),
    queries,
  };
}
