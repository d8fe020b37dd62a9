import type { dateTime as English } from '../en/date-time.ts';
import type { Translation } from '../translation.ts';

export const dateTime: Translation<typeof English> = {
  day: 'Datum',
  time: 'Uhrzeit',
  zone: 'Zeitzone: {zone}',
  skipped: 'Diese Uhrzeit gibt es an dem Tag wegen der Zeitumstellung nicht. Verwendet wird {time}.',
  repeated: 'Diese Uhrzeit kommt an dem Tag wegen der Zeitumstellung zweimal vor. Welche ist gemeint?',
  first: 'Die erste, {time}',
  second: 'Die zweite, {time}',
  problem: {
    incomplete: 'Gib Datum und Uhrzeit ein.',
    inPast: 'Wähle einen Zeitpunkt in der Zukunft.',
    tooFar: 'Wähle einen Zeitpunkt innerhalb eines Jahres.',
  },
};
