import type { dateTime as English } from '../en/date-time.ts';
import type { Translation } from '../translation.ts';

export const dateTime: Translation<typeof English> = {
  day: 'Datum',
  time: 'Uhrzeit',
  zone: 'Zeitzone: {zone}',
  skipped: 'Die Uhr überspringt diese Zeit an dem Tag. Verwendet wird {time}.',
  repeated: 'Die Uhr zeigt diese Zeit zweimal. Welche ist gemeint?',
  first: 'Die erste, {time}',
  second: 'Die zweite, {time}',
  calendar: {
    previousMonth: 'Voriger Monat',
    nextMonth: 'Nächster Monat',
    previousYear: 'Voriges Jahr',
    nextYear: 'Nächstes Jahr',
    previousDecade: 'Vorige zehn Jahre',
    nextDecade: 'Nächste zehn Jahre',
  },
  problem: {
    incomplete: 'Gib Datum und Uhrzeit ein.',
    inPast: 'Wähle einen Zeitpunkt in der Zukunft.',
    tooFar: 'Wähle einen Zeitpunkt innerhalb eines Jahres.',
  },
};
