import type { FormText, Registration } from '../contract.ts';

const REVIEW: FormText = {
  en: 'For accounts of other people, Meta requires App Review with advanced access to the permissions, and a verified business. The app must be live. Apply early: it can take weeks.',
  de: 'Für Konten anderer Personen verlangt Meta eine App-Prüfung mit erweitertem Zugriff auf die Berechtigungen und ein verifiziertes Unternehmen. Die App muss live sein. Beantrage es früh: Es kann Wochen dauern.',
};
const BEFORE: FormText = {
  en: 'Before the review, only people with a role in the app can connect.',
  de: 'Vor der Prüfung können nur Personen mit einer Rolle in der App ein Konto verbinden.',
};

export const registration: Registration = {
  portal: 'https://developers.facebook.com/apps',
  review:
    'App Review with advanced access, and a verified business. Until then, only people with a role in the application can connect.',
  redirect: 'https-or-loopback',
  guides: {
    instagram: {
      title: { en: 'Instagram login', de: 'Anmeldung bei Instagram' },
      steps: [
        {
          en: 'Create an app with “API setup with Instagram login”. One app supports only one kind of login.',
          de: 'Lege eine App mit „API-Einrichtung mit Instagram-Login“ an. Eine App unterstützt nur eine Art der Anmeldung.',
        },
        {
          en: 'Add both permissions, and the redirect URL in the settings of the business login.',
          de: 'Füge beide Berechtigungen hinzu, und die Weiterleitungsadresse in den Einstellungen der Unternehmensanmeldung.',
        },
        {
          en: 'Use the Instagram app ID and secret. They differ from those of the Facebook app.',
          de: 'Verwende die Instagram-App-ID und das zugehörige Geheimnis. Sie unterscheiden sich von denen der Facebook-App.',
        },
      ],
      id: { en: 'Instagram app ID', de: 'Instagram-App-ID' },
      secret: { en: 'Instagram app secret', de: 'Instagram-App-Geheimcode' },
      review: REVIEW,
      before: BEFORE,
    },
    facebook: {
      title: { en: 'Facebook login', de: 'Anmeldung bei Facebook' },
      steps: [
        {
          en: 'Create an app with Facebook Login for Business. One app supports only one kind of login.',
          de: 'Lege eine App mit Facebook Login for Business an. Eine App unterstützt nur eine Art der Anmeldung.',
        },
        {
          en: 'In the settings of Facebook Login, add the redirect URL under “Valid OAuth Redirect URIs”.',
          de: 'Trage in den Einstellungen von Facebook Login die Weiterleitungsadresse unter „Gültige OAuth Redirect URIs“ ein.',
        },
        {
          en: 'Add the permissions. Without business_management, accounts whose Pages belong to a business portfolio are not found.',
          de: 'Füge die Berechtigungen hinzu. Ohne business_management werden Konten nicht gefunden, deren Seiten zu einem Business-Portfolio gehören.',
        },
      ],
      id: { en: 'App ID', de: 'App-ID' },
      secret: { en: 'App secret', de: 'App-Geheimcode' },
      review: REVIEW,
      before: BEFORE,
    },
  },
};
