import type { composeTime as English } from '../en/compose-time.ts';
import type { Translation } from '../translation.ts';

export const composeTime: Translation<typeof English> = {
  when: 'Wann',
  now: 'Jetzt',
  later: 'Später',
  at: 'Datum und Uhrzeit',
  suggestions: 'Vorschläge',
  suggested: {
    today: 'Heute {time}',
    evening: 'Heute Abend {time}',
    tomorrow: 'Morgen {time}',
    later: '{date}, {time}',
  },
};
