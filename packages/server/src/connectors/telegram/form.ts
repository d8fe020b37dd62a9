import type { PostForm } from '../kit/post-form.ts';

export const form: PostForm = {
  fields: {
    disableNotification: { label: { en: 'Post silently', de: 'Ohne Ton veröffentlichen' } },
    protectContent: { label: { en: 'Prevent forwarding and saving', de: 'Weiterleiten und Speichern verhindern' } },
    hasSpoiler: { label: { en: 'Cover the video until it is tapped', de: 'Video bis zum Antippen verdecken' } },
    showCaptionAboveMedia: { label: { en: 'Show the caption above the video', de: 'Text über dem Video zeigen' } },
  },
};
