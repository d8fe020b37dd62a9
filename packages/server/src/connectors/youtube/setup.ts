import type { Registration } from '../contract.ts';

export const registration: Registration = {
  portal: 'https://console.cloud.google.com/apis/credentials',
  review: 'verification by Google for more than 100 users, and an audit by YouTube: until then, uploads are private',
  redirect: 'https-or-loopback',
  guides: {
    google: {
      steps: [
        {
          en: 'Create a project and enable the [YouTube Data API v3](https://console.cloud.google.com/apis/library/youtube.googleapis.com).',
          de: 'Lege ein Projekt an und aktiviere die [YouTube Data API v3](https://console.cloud.google.com/apis/library/youtube.googleapis.com).',
        },
        {
          en: 'Create a consent screen of type External with both scopes, and publish it. While it is in “Testing”, every connection ends after seven days.',
          de: 'Lege einen Zustimmungsbildschirm vom Typ „Extern“ mit beiden Scopes an und veröffentliche ihn. Solange er auf „Test“ steht, endet jede Verbindung nach sieben Tagen.',
        },
        {
          en: 'Create an OAuth client of type “Web application” with the redirect URL.',
          de: 'Lege einen OAuth-Client vom Typ „Webanwendung“ mit der Weiterleitungsadresse an.',
        },
      ],
      id: { en: 'Client ID', de: 'Client-ID' },
      secret: { en: 'Client secret', de: 'Clientschlüssel' },
      review: {
        en: 'There are two reviews. Google verifies the application: until then, at most 100 people can connect, and they see a warning. YouTube audits the project: until then, it makes every uploaded video private. Apply early: both can take weeks.',
        de: 'Es gibt zwei Prüfungen. Google verifiziert die Anwendung: Bis dahin können höchstens 100 Personen ein Konto verbinden, und sie sehen eine Warnung. YouTube prüft das Projekt: Bis dahin ist jedes hochgeladene Video privat. Beantrage beides früh: Es kann Wochen dauern.',
      },
      before: {
        en: 'Without the reviews, you can connect channels and upload videos, but only the channel’s owner sees them.',
        de: 'Ohne die Prüfungen kannst du Kanäle verbinden und Videos hochladen, aber nur der Besitzer des Kanals sieht sie.',
      },
    },
  },
};
