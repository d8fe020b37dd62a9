/**
 * The colors of Reelay. Pages that do not load the dashboard's files repeat some of them: the first paint
 * (`first-paint/skeleton.css`), and the service's own pages (`packages/server/src/http/page-style.ts`). A test compares them.
 */
import type { MantineColorsTuple } from '@mantine/core';

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
