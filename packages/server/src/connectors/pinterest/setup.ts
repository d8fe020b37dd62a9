import type { Registration } from '../contract.ts';

export const registration: Registration = {
  portal: 'https://developers.pinterest.com/apps',
  review: 'Standard access, after a recorded demonstration; no pins can be created before',
  redirect: 'https-or-loopback',
  guides: {
    pinterest: {
      steps: [
        {
          en: 'Create an app and wait until Pinterest grants Trial access.',
          de: 'Lege eine App an und warte, bis Pinterest den Zugriff „Trial“ gewährt.',
        },
        {
          en: 'Add the redirect URL in the settings of the app, and copy the id and the secret.',
          de: 'Trage die Weiterleitungsadresse in den Einstellungen der App ein, und kopiere ID und Geheimnis.',
        },
        {
          en: 'Connect an account, record the consent and a post, and apply for Standard access.',
          de: 'Verbinde ein Konto, nimm die Zustimmung und einen Beitrag auf, und beantrage den Zugriff „Standard“.',
        },
      ],
      id: { en: 'App ID', de: 'App-ID' },
      secret: { en: 'App secret key', de: 'Geheimer App-Schlüssel' },
      review: {
        en: 'Pinterest gives Standard access after a recorded demonstration of the consent and of a post. Apply early: it can take weeks.',
        de: 'Pinterest gewährt „Standard“ nach einer aufgenommenen Vorführung der Zustimmung und eines Beitrags. Beantrage es früh: Es kann Wochen dauern.',
      },
      before: {
        en: 'With Trial access, accounts can be connected, but posts fail.',
        de: 'Mit „Trial“ können Konten verbunden werden, aber Beiträge schlagen fehl.',
      },
    },
  },
};
