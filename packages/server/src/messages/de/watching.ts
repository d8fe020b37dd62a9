import { translationOf } from '../translation.ts';
import type { WATCHING_MESSAGES } from '../watching.ts';

export const watching = translationOf<typeof WATCHING_MESSAGES>()({
  too_many_posts: 'Das Konto hat mehr neue Beiträge, als eine Prüfung liest. Die ältesten davon werden nicht gesehen.',
  too_many_posts_a_day:
    'Das Konto hat mehr als {limit} {limit|neuen Beitrag|neue Beiträge} am Tag. Die ältesten davon werden nicht gesehen.',
  list_repeats: 'Die Plattform hat immer wieder dieselben Beiträge geliefert.',
  list_too_slow: 'Der Server hat so langsam geantwortet, dass nur die neuesten Beiträge gelesen wurden.',
  file_reference_too_large:
    'Der Server beschreibt die Datei dieses Beitrags mit mehr Daten, als gespeichert werden können.',
  watch_unreachable: 'Die Plattform war nicht erreichbar ({reason}).',
  watch_waits: 'Die Abfragen bei dieser Plattform sind aufgebraucht. Die nächste Prüfung ist um {untilAt}.',
  watch_internal: 'Interner Fehler. Die Prüfung wird wiederholt.',
});
