/** Colors, shapes and defaults of the components on all pages. */
import { Alert, Badge, type CSSVariablesResolver, createTheme, Loader, MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { BRAND, DARK, FILLED, GRAY, HEADINGS, INK, RADIUS, SPACING } from './tokens.ts';

const THEME = createTheme({
  colors: { brand: BRAND, gray: GRAY, dark: DARK },
  black: INK,
  headings: HEADINGS,
  spacing: SPACING,
  radius: RADIUS,
  primaryColor: 'brand',
  primaryShade: FILLED,
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Alert: Alert.extend({ styles: { title: { color: 'var(--mantine-color-text)' } } }),
    // By default the options of each closed list are rendered with the page. Not imported here, like menus.
    Combobox: { defaultProps: { keepMounted: false } },
    // The font of codes, keys and API names.
    Code: { defaultProps: { translate: 'no' } },
    // ARIA allows a label only on an element with a role.
    Loader: Loader.extend({ defaultProps: { role: 'status' } }),
    // A menu may contain only items and labels. While it is hidden as detached from its button, even for a moment, it
    // cannot take or keep the focus. Not imported here: pages load menus on demand.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, hideDetached: false } },
    Badge: Badge.extend({ defaultProps: { tt: 'none', c: 'var(--mantine-color-text)' } }),
  },
});

/** Darker than the library's default, which has too little contrast on a hovered light button. */
const onLight = (color: string) => ({
  [`--mantine-color-${color}-light-color`]: `color-mix(in srgb, var(--mantine-color-${color}-9), black 20%)`,
});

/**
 * The library's default colors of hints and errors have too little contrast (WCAG 2.2, 1.4.3), and its color of what is
 * hovered is that of the ground of a page.
 */
const VARIABLES: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-default-hover': 'var(--mantine-color-gray-1)',
    ...onLight('brand'),
    ...onLight('red'),
    ...onLight('green'),
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});

export function ThemeProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={THEME} cssVariablesResolver={VARIABLES} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  );
}
