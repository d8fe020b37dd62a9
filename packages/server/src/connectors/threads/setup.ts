import type { Registration } from '../contract.ts';

export const registration: Registration = {
  portal: 'https://developers.facebook.com/apps',
  review: 'App Review with advanced access. Until then, only invited testers can connect.',
  redirect: 'https',
  guides: {
    threads: {
      steps: [
        {
          en: 'Create an app with the use case “Access the Threads API”.',
          de: 'Lege eine App mit dem Anwendungsfall „Auf die Threads-API zugreifen“ an.',
        },
        {
          en: 'Add both scopes, and the redirect URL in the settings of the use case.',
          de: 'Füge beide Scopes hinzu, und die Weiterleitungsadresse in den Einstellungen des Anwendungsfalls.',
        },
        {
          en: 'Use the Threads app ID and secret. They differ from the id and secret of the app itself.',
          de: 'Verwende die Threads-App-ID und das zugehörige Geheimnis. Sie unterscheiden sich von ID und Geheimnis der App selbst.',
        },
      ],
      id: { en: 'Threads app ID', de: 'Threads-App-ID' },
      secret: { en: 'Threads app secret', de: 'Threads-App-Geheimcode' },
      review: {
        en: 'For other people, the app must be live and have advanced access to both scopes (App Review). Apply early: it can take weeks.',
        de: 'Für andere Personen muss die App live sein und erweiterten Zugriff auf beide Scopes haben (App-Prüfung). Beantrage es früh: Es kann Wochen dauern.',
      },
      before: {
        en: 'Before the review, only invited testers can connect. Invite them in the roles of the app.',
        de: 'Vor der Prüfung können nur eingeladene Tester ein Konto verbinden. Lade sie in den Rollen der App ein.',
      },
    },
  },
};
