import type { posts as English } from '../en/posts.ts';
import type { Translation } from '../translation.ts';

export const posts: Translation<typeof English> = {
  title: 'Beiträge',
  empty: 'Noch ist nichts veröffentlicht.',
  emptyHint: 'Hier erscheinen Beiträge mit allem, was auf jedem Konto geschah.',
  first: 'Ersten Beitrag erstellen',
  count: '{count, plural, one {# Beitrag} other {# Beiträge}}',
  countMore: '{count, plural, one {Der neueste Beitrag} other {Die neuesten # Beiträge}}. Scrolle für weitere.',
  noMatch: 'Kein Beitrag passt zu diesen Filtern.',
  reset: 'Filter zurücksetzen',
  retry: 'Noch einmal versuchen',
  text: 'Beschreibung enthält',
  account: 'Konto',
  allAccounts: 'Alle Konten',
  otherAccount: 'Getrenntes Konto',
  status: 'Status',
  allStatuses: 'Jeder Status',
  from: 'Von',
  to: 'Bis',
  anyDay: 'Beliebiger Tag',
  clearDay: '„{field}“ löschen',
  loadingMore: 'Weitere Beiträge werden geladen',
  noDescription: 'Ohne Beschreibung',
  reposts: '{count, plural, one {+# Repost} other {+# Reposts}}',
  repostsOf: 'Reposts dieses Beitrags',
  repost: 'Repost',
};
