import type { post as English } from '../en/post.ts';
import type { Translation } from '../translation.ts';

export const post: Translation<typeof English> = {
  scheduled: 'Geplant',
  posting: 'Wird veröffentlicht …',
  done: '{failed, plural, =0 {Veröffentlicht} other {Auf {posted} von {total} veröffentlicht}}',
  counts: '{posted} von {total} veröffentlicht{failed, plural, =0 {} other {, # fehlgeschlagen}}',
  retry: '{count, plural, one {Fehlgeschlagenes Konto wiederholen} other {# fehlgeschlagene Konten wiederholen}}',
  cancel: 'Beitrag absagen',
  all: 'Alle Beiträge',
  open: 'Beitrag öffnen',
  converting: 'Das Video wird umgewandelt',
  showTimeline: 'Was geschah',
  hideTimeline: 'Ausblenden',
};
