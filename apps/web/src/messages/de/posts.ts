import type { posts as English } from '../en/posts.ts';
import type { Translation } from '../translation.ts';

export const posts: Translation<typeof English> = {
  title: 'Beiträge',
  empty: 'Noch ist nichts veröffentlicht.',
  first: 'Ersten Beitrag erstellen',
  count: '{count, plural, one {# Beitrag} other {# Beiträge}}',
  noDescription: 'Ohne Beschreibung',
  repost: 'Weitergabe',
  more: 'Mehr anzeigen',
};
