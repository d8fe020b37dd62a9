import type { Registration } from '../contract.ts';

export const registration: Registration = {
  portal: 'https://business.snapchat.com',
  review: 'the allowlist of the Public Profile API; every call is rejected before',
  redirect: 'https',
  guides: {
    snapchat: {
      steps: [
        {
          en: 'Create an OAuth application in Snapchat’s business dashboard, not in the developer portal.',
          de: 'Lege eine OAuth-Anwendung im Business-Dashboard von Snapchat an, nicht im Entwicklerportal.',
        },
        { en: 'Add the redirect URL.', de: 'Trage die Weiterleitungsadresse ein.' },
        {
          en: 'Ask Snapchat to add the client id to the allowlist of the Public Profile API.',
          de: 'Bitte Snapchat, die Client-ID auf die Liste der Public Profile API zu setzen.',
        },
      ],
      id: { en: 'Client ID', de: 'Client-ID' },
      secret: { en: 'Client secret', de: 'Client Secret' },
      review: {
        en: 'Snapchat decides who gets on the allowlist.',
        de: 'Snapchat entscheidet, wer auf die Liste kommt.',
      },
      before: {
        en: 'Before that, nothing works: Snapchat refuses every request. Test with Snapchat before you offer it to users, because this was never tried with the real platform.',
        de: 'Vorher geht nichts: Snapchat lehnt jede Anfrage ab. Probiere es mit Snapchat aus, bevor du es anbietest, denn mit der echten Plattform wurde es nie erprobt.',
      },
    },
  },
};
