import type { reposts as English } from '../en/reposts.ts';
import type { Translation } from '../translation.ts';

export const reposts: Translation<typeof English> = {
  title: 'Weitergabe',
  lead: 'Jede Regel gibt weiter, was auf einem Konto erscheint: an andere Konten, je einmal.',
  empty: 'Noch keine Regel. Eine Regel gibt weiter, was auf einem Konto erscheint.',
  needsAccounts: 'Verbinde zuerst mindestens zwei Konten.',
  add: 'Regel hinzufügen',
  addTitle: 'Neue Regel',
  addHint: 'Die Regel gilt für alles, was von jetzt an erscheint. Regeln, die einen Kreis bilden, werden abgelehnt.',
  loop: 'Die Regeln würden einen Kreis bilden: Das Video käme zu seiner Quelle zurück.',
  duplicate: 'Von diesem Konto gibt es schon eine Regel an eines dieser Konten.',
  from: 'Von',
  fromHint: 'Beiträge auf diesem Konto',
  to: 'An',
  active: 'Aktiv',
  paused: 'Pausiert',
  pause: 'Pausieren',
  resume: 'Fortsetzen',
  delete: 'Löschen',
  deleteTitle: 'Diese Regel löschen?',
  deleteHint:
    'Ihr Verlauf geht verloren, und was noch nicht begonnen hat, wird zurückgezogen. Was veröffentlicht ist, bleibt.',
  activity: 'Verlauf',
  activityEmpty: 'Die Regel hat noch nichts gesehen.',
  item: { reposted: 'Weitergegeben', waiting: 'Wartet', skipped: 'Übersprungen' },
  noCaption: 'Ohne Beschreibung',
  source: 'Quelle öffnen',
  repost: 'Jetzt weitergeben',
  more: 'Mehr anzeigen',
};
