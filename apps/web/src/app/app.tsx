import { Alert, Badge, type CSSVariablesResolver, createTheme, Loader, MantineProvider } from '@mantine/core';
import type { ReelayClient } from '@reelay/sdk';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { ClientProvider } from '../service/service-client.ts';
import { LanguageProvider } from './language.tsx';
import type { AppRouter } from './router.tsx';

const THEME = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Alert: Alert.extend({ styles: { title: { color: 'var(--mantine-color-text)' } } }),
    // Only an element with a role may have a label.
    Loader: Loader.extend({ defaultProps: { role: 'status' } }),
    Badge: Badge.extend({ defaultProps: { tt: 'none', c: 'var(--mantine-color-text)' } }),
  },
});

/** The library's gray for hints has too little contrast on white (WCAG 2.2, 1.4.3). */
const VARIABLES: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-dimmed': 'var(--mantine-color-gray-7)' },
  dark: {},
});

/** The dashboard with everything that its pages need. */
export function App({ client, queries, router }: { client: ReelayClient; queries: QueryClient; router: AppRouter }) {
  return (
    <MantineProvider theme={THEME} cssVariablesResolver={VARIABLES} defaultColorScheme="auto">
      <LanguageProvider>
        <ClientProvider value={client}>
          <QueryClientProvider client={queries}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </ClientProvider>
      </LanguageProvider>
    </MantineProvider>
  );
}
