/**
 * The design tokens of Reelay: colors, type scale, spacing and corners. What does not load the dashboard's files repeats
 * some of the colors: the first paint (`first-paint/*.css`), the offline page (`public/offline.html`), and the service's own
 * pages and mails (`packages/server/src/lib/colors.ts`). A test compares them.
 */
import type { MantineColorsTuple, MantineThemeOverride } from '@mantine/core';

/** From light to dark. The eighth is the color of the logo: buttons, links and what is chosen. */
export const BRAND: MantineColorsTuple = [
  '#f3f2ff',
  '#e4e1fd',
  '#cdc8fa',
  '#b5adf5',
  '#9b91f0',
  '#7f73e8',
  '#6255dd',
  '#4c3fd1',
  '#4335bd',
  '#362a94',
];

/** Which of them fills a button. */
export const FILLED = { light: 7, dark: 6 } as const;

/** Neutral colors of the light scheme, from light to dark: the ground of a page, lines, quiet text. Tinted like the logo. */
export const GRAY: MantineColorsTuple = [
  '#f7f7fc',
  '#f0eff7',
  '#e7e6f0',
  '#dcdbe8',
  '#cac8da',
  '#aba8bf',
  '#86829f',
  '#4d4966',
  '#363247',
  '#211e2e',
];

/** Colors of the dark scheme, from light to dark: text, quiet text, lines, fields, surfaces, the ground of a page. */
export const DARK: MantineColorsTuple = [
  '#dedbe9',
  '#bdb9cd',
  '#8b87a0',
  '#6b6781',
  '#454057',
  '#363147',
  '#272335',
  '#1b1825',
  '#13111b',
  '#0c0a12',
];

/** Text of the light scheme. */
export const INK = '#1a1728';

/** Large text is tight and heavy, as in the logo. Sizes in rem. */
export const HEADINGS: MantineThemeOverride['headings'] = {
  fontWeight: '750',
  sizes: {
    h1: { fontSize: '2.25rem', lineHeight: '1.15' },
    h2: { fontSize: '1.75rem', lineHeight: '1.25' },
    h3: { fontSize: '1.25rem', lineHeight: '1.3' },
    h4: { fontSize: '1.125rem', lineHeight: '1.4' },
    h5: { fontSize: '1rem', lineHeight: '1.5' },
  },
};

/** Distances between things, in rem: parts of a line, lines of a card, cards, sections, parts of a page. */
export const SPACING = { xs: '0.625rem', sm: '0.75rem', md: '1rem', lg: '1.25rem', xl: '2rem' } as const;

/** Corners: small things and pictures, fields and cards, dialogs. */
export const RADIUS = { sm: '0.375rem', md: '0.625rem', lg: '1rem' } as const;
