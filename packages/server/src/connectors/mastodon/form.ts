import type { PostForm } from '../kit/post-form.ts';

export const form: PostForm = {
  fields: {
    visibility: {
      label: { en: 'Who can see this post', de: 'Wer kann diesen Beitrag sehen?' },
      values: {
        public: { en: 'Everyone', de: 'Alle' },
        unlisted: { en: 'Everyone, but not in timelines', de: 'Alle, aber nicht in Zeitleisten' },
        private: { en: 'Followers', de: 'Follower' },
        direct: { en: 'Mentioned people', de: 'Erwähnte Personen' },
      },
    },
    sensitive: { label: { en: 'Hide the video as sensitive', de: 'Video als heikel ausblenden' } },
    spoilerText: {
      label: { en: 'Content warning', de: 'Inhaltswarnung' },
      hint: { en: 'Counts toward the length of the caption.', de: 'Zählt zur Länge des Textes.' },
    },
    language: {
      label: { en: 'Language', de: 'Sprache' },
      hint: { en: 'A code such as en.', de: 'Ein Kürzel wie de.' },
    },
  },
};
