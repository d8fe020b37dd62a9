import type { PostForm } from '../kit/post-form.ts';

export const form: PostForm = {
  fields: {
    title: { label: { en: 'Title', de: 'Titel' } },
    visibility: {
      label: { en: 'Who can see this post', de: 'Wer kann diesen Beitrag sehen?' },
      hint: { en: 'Pages have no connections.', de: 'Unternehmensseiten haben keine Kontakte.' },
      values: {
        PUBLIC: { en: 'Everyone', de: 'Alle' },
        LOGGED_IN: { en: 'Signed-in members', de: 'Angemeldete Mitglieder' },
        CONNECTIONS: { en: 'Connections', de: 'Kontakte' },
      },
    },
  },
};
