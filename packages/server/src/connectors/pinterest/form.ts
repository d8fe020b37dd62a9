import type { PostForm } from '../kit/post-form.ts';

export const form: PostForm = {
  fields: {
    board: { label: { en: 'Board', de: 'Pinnwand' }, choice: 'board' },
    title: { label: { en: 'Title', de: 'Titel' } },
    link: {
      label: { en: 'Link', de: 'Link' },
      hint: { en: 'The page that the pin leads to.', de: 'Die Seite, zu der der Pin führt.' },
    },
    altText: { label: { en: 'Alternative text', de: 'Alternativtext' } },
  },
  settings: { board: { label: { en: 'Board', de: 'Pinnwand' } } },
};
