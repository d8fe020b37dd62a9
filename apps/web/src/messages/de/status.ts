import type { status as English } from '../en/status.ts';
import type { Translation } from '../translation.ts';

export const status: Translation<typeof English> = {
  SUCCESS: 'Veröffentlicht',
  PENDING: 'Läuft',
  SCHEDULED: 'Geplant',
  RETRYING: 'Wird wiederholt',
  UNKNOWN: 'Ungewiss',
  PARTLY: 'Teilweise veröffentlicht',
  FAILED: 'Fehlgeschlagen',
};
