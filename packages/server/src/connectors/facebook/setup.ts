import type { Registration } from '../contract.ts';

export const registration: Registration = {
  portal: 'https://developers.facebook.com/apps',
  review:
    'App Review with advanced access, and a verified business. Until then, only people with a role in the application can connect. Pages of business portfolios also need the permission business_management, which has a review of its own.',
  redirect: 'https-or-loopback',
  guides: {
    facebook: {
      steps: [
        {
          en: 'Create an app of type Business and add Facebook Login.',
          de: 'Lege eine App vom Typ „Business“ an und füge Facebook Login hinzu.',
        },
        {
          en: 'In the settings of Facebook Login, add the redirect URL under “Valid OAuth Redirect URIs”.',
          de: 'Trage in den Einstellungen von Facebook Login die Weiterleitungsadresse unter „Gültige OAuth Redirect URIs“ ein.',
        },
        {
          en: 'Add the permissions. Without business_management, Pages of a business portfolio are not found. pages_manage_metadata lets Facebook announce new posts.',
          de: 'Füge die Berechtigungen hinzu. Ohne business_management werden Seiten eines Business-Portfolios nicht gefunden. Mit pages_manage_metadata meldet Facebook neue Beiträge.',
        },
        {
          en: 'Switch the app to live mode. In development mode, posts are reported to be visible only to people with a role in the app.',
          de: 'Schalte die App in den Live-Modus. Im Entwicklungsmodus sehen Beiträge Berichten zufolge nur Personen mit einer Rolle in der App.',
        },
      ],
      id: { en: 'App ID', de: 'App-ID' },
      secret: { en: 'App secret', de: 'App-Geheimcode' },
      review: {
        en: 'For Pages of other people, Meta requires App Review with advanced access to the permissions, and a verified business. business_management has a review of its own. Apply early: it can take weeks.',
        de: 'Für Seiten anderer Personen verlangt Meta eine App-Prüfung mit erweitertem Zugriff auf die Berechtigungen und ein verifiziertes Unternehmen. business_management wird eigens geprüft. Beantrage es früh: Es kann Wochen dauern.',
      },
      before: {
        en: 'Before the review, only people with a role in the app can connect their Pages.',
        de: 'Vor der Prüfung können nur Personen mit einer Rolle in der App ihre Seiten verbinden.',
      },
    },
  },
};
