/** The brand colors of the platforms. Decorative: names and icons are next to them. */
const COLORS: Readonly<Record<string, string>> = {
  bluesky: '#1185fe',
  facebook: '#0866ff',
  instagram: '#e1306c',
  linkedin: '#0a66c2',
  mastodon: '#6364ff',
  pinterest: '#e60023',
  snapchat: '#f5d90a',
  telegram: '#27a7e7',
  threads: 'light-dark(#444, #bbb)',
  tiktok: '#25c5c0',
  x: 'light-dark(#000, #fff)',
  youtube: '#f03',
};

/** A color in CSS. */
export const platformColor = (platform: string): string => COLORS[platform] ?? 'var(--mantine-color-gray-5)';
