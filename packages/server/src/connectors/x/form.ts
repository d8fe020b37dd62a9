import type { PostForm } from '../kit/post-form.ts';

export const form: PostForm = {
  fields: {
    replySettings: {
      label: { en: 'Who can reply', de: 'Wer darf antworten?' },
      values: {
        everyone: { en: 'Everyone', de: 'Alle' },
        following: { en: 'Accounts you follow', de: 'Konten, denen du folgst' },
        mentionedUsers: { en: 'Mentioned accounts', de: 'Erwähnte Konten' },
        subscribers: { en: 'Subscribers', de: 'Abonnenten' },
        verified: { en: 'Verified accounts', de: 'Verifizierte Konten' },
      },
    },
    madeWithAi: { label: { en: 'Made with AI', de: 'Mit KI erstellt' } },
    paidPartnership: { label: { en: 'Paid partnership', de: 'Bezahlte Partnerschaft' } },
  },
};
