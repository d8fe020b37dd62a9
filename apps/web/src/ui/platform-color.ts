/** The colors of the platforms' logos, and of a figure on them. Decorative: names and icons are next to them. */
const COLORS: Readonly<Record<string, readonly [ground: string, figure?: string]>> = {
  bluesky: ['#1185fe'],
  facebook: ['#0866ff'],
  instagram: ['#e1306c'],
  linkedin: ['#0a66c2'],
  mastodon: ['#6364ff'],
  pinterest: ['#e60023'],
  snapchat: ['#f5d90a', '#000'],
  telegram: ['#27a7e7'],
  threads: ['light-dark(#444, #bbb)', 'light-dark(#fff, #000)'],
  tiktok: ['#25c5c0', '#000'],
  x: ['light-dark(#000, #fff)', 'light-dark(#fff, #000)'],
  youtube: ['#f03'],
};

/** A color in CSS. */
export const platformColor = (platform: string): string => COLORS[platform]?.[0] ?? 'var(--mantine-color-gray-6)';

/** The color of a figure on it. */
export const figureColor = (platform: string): string => COLORS[platform]?.[1] ?? '#fff';
