import type { Registration } from '../contract.ts';

export const registration: Registration = {
  portal: 'https://developers.tiktok.com/apps',
  review:
    'the scopes user.info.basic, user.info.profile, video.list (to find published posts) and video.publish must be approved, or the consent page fails; then an audit by TikTok: until then, posts are visible only to their owner, and five private accounts may post per day',
  redirect: 'https-or-loopback',
  guides: {
    tiktok: {
      steps: [
        {
          en: 'Create an app and add the products Login Kit and Content Posting API. Turn on Direct Post.',
          de: 'Lege eine App an und füge die Produkte Login Kit und Content Posting API hinzu. Schalte Direct Post ein.',
        },
        {
          en: 'Add the redirect URL to Login Kit. If this service runs only on your computer, add it under “Desktop”, otherwise under “Web”.',
          de: 'Trage die Weiterleitungsadresse bei Login Kit ein: unter „Desktop“, wenn dieser Dienst nur auf deinem Rechner läuft, sonst unter „Web“.',
        },
        {
          en: 'Request all four scopes. As the reason for video.list, write that Reelay finds published posts with it.',
          de: 'Beantrage alle vier Scopes. Begründe video.list damit, dass Reelay so veröffentlichte Beiträge findet.',
        },
      ],
      id: { en: 'Client key', de: 'Client Key' },
      secret: { en: 'Client secret', de: 'Client Secret' },
      review: {
        en: 'TikTok must approve each scope, or its consent page shows an error and does not return to Reelay. A separate audit then checks the app against TikTok’s rules for sharing. Apply early: both can take weeks.',
        de: 'TikTok muss jeden Scope genehmigen, sonst zeigt die Zustimmungsseite einen Fehler und führt nicht zu Reelay zurück. Danach prüft ein Audit die App anhand der Regeln von TikTok. Beantrage beides früh: Es kann Wochen dauern.',
      },
      before: {
        en: 'Before the audit, five accounts can post per day. They must be private, and only their owners see the posts.',
        de: 'Vor dem Audit können fünf Konten am Tag veröffentlichen. Sie müssen privat sein, und nur ihre Besitzer sehen die Beiträge.',
      },
    },
  },
};
