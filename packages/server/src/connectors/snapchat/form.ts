import type { PostForm } from '../kit/post-form.ts';

export const form: PostForm = {
  fields: {
    locale: {
      label: { en: 'Language of the text', de: 'Sprache des Textes' },
      hint: { en: 'Language and country, such as en_US.', de: 'Sprache und Land, zum Beispiel de_DE.' },
    },
    saveToProfile: {
      label: { en: 'Do not keep it on the profile', de: 'Nicht im Profil behalten' },
      inverted: true,
    },
  },
};
