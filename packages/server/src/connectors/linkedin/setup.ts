import type { Registration } from '../contract.ts';

export const registration: Registration = {
  portal: 'https://www.linkedin.com/developers/apps',
  review: 'none for members; for pages the Community Management API, for registered companies after a review',
  redirect: 'https-or-loopback',
  guides: {
    linkedin: {
      title: { en: 'Members', de: 'Mitglieder' },
      steps: [
        {
          en: 'Create an app and add the products “Share on LinkedIn” and “Sign In with LinkedIn using OpenID Connect”.',
          de: 'Lege eine App an und füge die Produkte „Share on LinkedIn“ und „Sign In with LinkedIn using OpenID Connect“ hinzu.',
        },
        {
          en: 'On the tab “Auth”, add the redirect URL and copy the id and the secret.',
          de: 'Trage im Reiter „Auth“ die Weiterleitungsadresse ein und kopiere dort ID und Geheimnis.',
        },
      ],
      id: { en: 'Client ID', de: 'Client-ID' },
      secret: { en: 'Primary client secret', de: 'Primary Client Secret' },
      review: {
        en: 'LinkedIn reviews nothing: every app gets both products at once.',
        de: 'LinkedIn prüft nichts: Jede App bekommt beide Produkte sofort.',
      },
    },
    linkedinpages: {
      title: { en: 'Pages, or pages and members', de: 'Seiten, oder Seiten und Mitglieder' },
      steps: [
        {
          en: 'Create a second app and add only the product “Community Management API”. LinkedIn does not allow another product beside it.',
          de: 'Lege eine zweite App an und füge nur das Produkt „Community Management API“ hinzu. LinkedIn erlaubt daneben kein anderes Produkt.',
        },
        {
          en: 'On the tab “Auth”, add the redirect URL and copy the id and the secret.',
          de: 'Trage im Reiter „Auth“ die Weiterleitungsadresse ein und kopiere dort ID und Geheimnis.',
        },
      ],
      id: { en: 'Client ID', de: 'Client-ID' },
      secret: { en: 'Primary client secret', de: 'Primary Client Secret' },
      review: {
        en: 'LinkedIn grants the product only to registered companies, after a review. You get more requests after a screencast of the finished product.',
        de: 'LinkedIn gewährt das Produkt nur eingetragenen Unternehmen, nach einer Prüfung. Mehr Anfragen bekommst du nach einem Screencast des fertigen Produkts.',
      },
      before: {
        en: 'Without the product, no page can be connected. With it, you start with 500 requests a day for the app and 100 for each member.',
        de: 'Ohne das Produkt kann keine Seite verbunden werden. Mit ihm beginnst du mit 500 Anfragen am Tag für die App und 100 je Mitglied.',
      },
    },
  },
};
