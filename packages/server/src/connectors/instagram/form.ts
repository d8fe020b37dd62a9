import type { PostForm } from '../kit/post-form.ts';

export const form: PostForm = {
  fields: {
    shareToFeed: {
      label: { en: 'Show only in the Reels tab', de: 'Nur im Reels-Tab zeigen' },
      inverted: true,
    },
    collaborators: {
      label: { en: 'Invite collaborators', de: 'Zur Zusammenarbeit einladen' },
      hint: { en: 'Up to three user names.', de: 'Bis zu drei Benutzernamen.' },
    },
    audioName: { label: { en: 'Name of the audio', de: 'Name des Tons' } },
    trial: {
      label: { en: 'Trial reel', de: 'Test-Reel' },
      hint: {
        en: 'First shown only to people who do not follow you.',
        de: 'Zuerst nur für Leute sichtbar, die dir nicht folgen.',
      },
      values: {
        manual: { en: 'I share it with everyone myself', de: 'Ich gebe es selbst für alle frei' },
        performance: { en: 'Instagram shares it if it does well', de: 'Instagram gibt es frei, wenn es gut läuft' },
      },
    },
    aiGenerated: { label: { en: 'Made with AI', de: 'Mit KI erstellt' } },
  },
};
