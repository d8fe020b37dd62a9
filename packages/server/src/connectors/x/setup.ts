import type { Registration } from '../contract.ts';

export const registration: Registration = {
  portal: 'https://console.x.com',
  review: 'none, but access is paid by use',
  redirect: 'no-localhost',
  guides: {
    x: {
      steps: [
        {
          en: 'Create a project with an app, and buy credits. X charges for every post and every read.',
          de: 'Lege ein Projekt mit einer App an, und kaufe Guthaben. X berechnet jeden Beitrag und jeden Lesezugriff.',
        },
        {
          en: 'Choose the type “Web App, Automated App or Bot”, with read and write permissions.',
          de: 'Wähle den Typ „Web App, Automated App or Bot“ mit Lese- und Schreibrechten.',
        },
        {
          en: 'Add the redirect URL. Use the OAuth 2.0 client id and secret, not the API key.',
          de: 'Trage die Weiterleitungsadresse ein. Verwende Client-ID und Secret von OAuth 2.0, nicht den API-Schlüssel.',
        },
      ],
      id: { en: 'OAuth 2.0 client ID', de: 'OAuth-2.0-Client-ID' },
      secret: { en: 'OAuth 2.0 client secret', de: 'OAuth-2.0-Client-Secret' },
      review: {
        en: 'X reviews nothing. Without credits, posts wait.',
        de: 'X prüft nichts. Ohne Guthaben warten Beiträge.',
      },
    },
  },
};
