import type { CHANNEL_TEXTS } from '../channels.ts';
import { translationOf } from '../translation.ts';

export const channels = translationOf<typeof CHANNEL_TEXTS>()({
  refused:
    '{host} nimmt keine Nachrichten für diese Adresse an (HTTP {status}). Ersetze sie, oder sende einen Test, wenn sie wieder funktioniert.',
  not_public: '{host} hat keine öffentliche Adresse mit https. Deshalb wird nichts dorthin gesendet.',
  unreadable:
    'Die Adresse lässt sich mit dem aktuellen SECRET_KEY nicht entschlüsseln. Entferne sie und füge sie neu hinzu.',
  limited: '{host} nimmt zurzeit keine weiteren Nachrichten an.',
  redirected: '{host} leitet auf eine andere Adresse um, der Reelay nicht folgt. Prüfe die Adresse.',
  failing: '{host} hat einen Fehler gemeldet (HTTP {status}).',
  unreachable: '{host} war nicht erreichbar ({reason}).',
  closed: '{host} hat die Verbindung getrennt, bevor eine Antwort kam.',
  retried: '{reason} Reelay versucht es erneut.',
  test_failed: '{reason} Ein Test wird nicht wiederholt.',
});
