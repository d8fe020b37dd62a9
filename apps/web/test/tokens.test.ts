/** Pages that do not load the dashboard's files have its colors, too. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PAGE_STYLE } from '../../../packages/server/src/http/page-style.ts';
import { mailHtml } from '../../../packages/server/src/mail/mail-html.ts';
import { BRAND, DARK, FILLED, GRAY, INK } from '../src/app/tokens.ts';

const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const LOGO = BRAND[FILLED.light] ?? '';

test.each(['apps/web/public/icon.svg', 'apps/web/public/manifest.webmanifest', 'apps/web/index.html'])(
  '%s has the color of the logo',
  (file) => {
    expect(read(file)).toContain(`"${LOGO}"`);
  },
);

describe("the service's own pages", () => {
  const [, light, dark] = PAGE_STYLE.split(':root{');

  test('have the logo', () => {
    expect(read('packages/server/src/http/page-style.ts')).toContain(`fill="${LOGO}"`);
  });

  test.each([
    ['light', light, BRAND[FILLED.light], BRAND[8]],
    ['dark', dark, BRAND[FILLED.dark], BRAND[3]],
  ])('have the colors of the %s dashboard', (_, style, first, link) => {
    expect(style).toContain(`--first:${first};--link:${link};`);
  });

  test.each([
    ['light', light, INK, GRAY[7], GRAY[0]],
    ['dark', dark, DARK[0], DARK[1], DARK[8]],
  ])('have the ground of the %s dashboard', (_, style, text, quiet, ground) => {
    for (const part of [`--text:${text};`, `--dim:${quiet};`, `--page:${ground};`]) expect(style).toContain(part);
  });
});

/** Text, quiet text, lines, and the ground of a page. */
const NEUTRAL = {
  light: [INK, GRAY[7], GRAY[3], GRAY[0]],
  dark: [DARK[0], DARK[1], DARK[4], DARK[8]],
} as const;

test('the offline page has the colors of the dashboard', () => {
  const [, light, dark] = read('apps/web/public/offline.html').split(/:root(?:\[.*\])? \{/);
  for (const [style, [text, quiet, line, ground], first] of [
    [light, NEUTRAL.light, BRAND[FILLED.light]],
    [dark, NEUTRAL.dark, BRAND[FILLED.dark]],
  ] as const)
    for (const [name, color] of Object.entries({ text, dimmed: quiet, page: ground, line, button: first }))
      expect(style).toContain(`--${name}: ${color};`);
});

test('the first paint has the colors of the dashboard', () => {
  const style = read('apps/web/src/first-paint/skeleton.css');
  const pairs = NEUTRAL.light.map((light, index) => `light-dark(${light}, ${NEUTRAL.dark[index]})`);
  for (const pair of pairs.slice(1)) expect(style).toContain(pair);
  expect(read('apps/web/src/first-paint/start.css')).toContain(pairs[0]);
});

describe('the mails', () => {
  const html = mailHtml({ subject: 'A', text: 'a https://a.example/', language: 'en' });

  test.each([
    ['light', '', BRAND[FILLED.light], BRAND[8], INK, GRAY[0]],
    ['dark', '!important', BRAND[FILLED.dark], BRAND[3], DARK[0], DARK[8]],
  ])('have the colors of the %s dashboard', (_, important, first, link, text, ground) => {
    for (const color of [first, ground]) expect(html).toContain(`background-color:${color}${important}`);
    for (const color of [link, text]) expect(html).toContain(`color:${color}${important}`);
  });
});

/** Of two colors, as WCAG 2.2 defines it. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each([
  ['a button', '#ffffff', BRAND[FILLED.light]],
  ['a dark button', '#ffffff', BRAND[FILLED.dark]],
  ['a link', BRAND[FILLED.light], GRAY[0]],
  // On the lightest surface of the dark dashboard.
  ['a dark link', BRAND[4], DARK[6]],
  ['a hint', GRAY[7], GRAY[1]],
  ['a dark hint', DARK[1], DARK[5]],
  ['a dark page', DARK[0], DARK[5]],
])('the text of %s has enough contrast', (_, text = '', ground = '') => {
  expect(contrast(text, ground)).toBeGreaterThan(4.5);
});
