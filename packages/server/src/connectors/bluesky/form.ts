import type { PostForm } from '../kit/post-form.ts';

export const form: PostForm = {
  fields: {
    langs: {
      label: { en: 'Languages', de: 'Sprachen' },
      hint: { en: 'Up to three codes, such as en or pt-BR.', de: 'Bis zu drei Kürzel, zum Beispiel de oder pt-BR.' },
    },
    labels: {
      label: { en: 'Content labels', de: 'Kennzeichnung des Inhalts' },
      hint: { en: 'Some users hide labeled content.', de: 'Manche blenden gekennzeichnete Inhalte aus.' },
      values: {
        sexual: { en: 'Suggestive', de: 'Anzüglich' },
        nudity: { en: 'Nudity', de: 'Nacktheit' },
        porn: { en: 'Adult content', de: 'Pornografie' },
        'graphic-media': { en: 'Graphic media', de: 'Verstörende Bilder' },
      },
    },
  },
};
