/**
 * The form for a post, as TikTok's "Content Sharing Guidelines" require it. The English sentences are TikTok's own and must
 * not be changed.
 */
import type { FormText, PostForm } from '../kit/post-form.ts';

const MUSIC = '[Music Usage Confirmation](https://www.tiktok.com/legal/page/global/music-usage-confirmation/en)';
const BRANDED = '[Branded Content Policy](https://www.tiktok.com/legal/page/global/bc-policy/en)';

const closed = (what: FormText): FormText => ({
  en: `${what.en} are turned off in the settings of this TikTok account.`,
  de: `${what.de} sind in den Einstellungen dieses TikTok-Kontos ausgeschaltet.`,
});

const PRIVATE: FormText = {
  en: 'Branded content visibility cannot be set to private.',
  de: 'Bezahlte Partnerschaften können nicht privat sein.',
};

const disclosed = { disclosed: true };

const PRIVACIES = {
  PUBLIC_TO_EVERYONE: { en: 'Everyone', de: 'Alle' },
  FOLLOWER_OF_CREATOR: { en: 'Followers', de: 'Follower' },
  MUTUAL_FOLLOW_FRIENDS: { en: 'Friends', de: 'Freunde' },
  SELF_ONLY: { en: 'Only me', de: 'Nur ich' },
};
const SWITCH = { on: { en: 'Yes', de: 'Ja' }, off: { en: 'No', de: 'Nein' } };

export const form: PostForm = {
  fields: {
    privacy: {
      label: { en: 'Who can see this video', de: 'Wer kann dieses Video sehen?' },
      // Not in a row: TikTok's guidelines for other apps describe a list that opens (from memory, not confirmed).
      values: PRIVACIES,
      ask: true,
      choice: 'privacy',
      blocked: [{ value: 'SELF_ONLY', when: { disclosed: true, brandContent: true }, reason: PRIVATE }],
    },
    disableComment: {
      label: { en: 'Allow comments', de: 'Kommentare erlauben' },
      inverted: true,
      always: true,
      needs: { choice: 'comment', value: 'on', reason: closed({ en: 'Comments', de: 'Kommentare' }) },
    },
    disableDuet: {
      label: { en: 'Allow duets', de: 'Duette erlauben' },
      inverted: true,
      always: true,
      needs: { choice: 'duet', value: 'on', reason: closed({ en: 'Duets', de: 'Duette' }) },
    },
    disableStitch: {
      label: { en: 'Allow stitches', de: 'Stitches erlauben' },
      inverted: true,
      always: true,
      needs: { choice: 'stitch', value: 'on', reason: closed({ en: 'Stitches', de: 'Stitches' }) },
    },
    disclosed: {
      pageOnly: true,
      label: { en: 'Disclose video content', de: 'Werbung kennzeichnen' },
      hint: {
        en: 'Turn on to disclose that this video promotes goods or services in exchange for something of value. Your video could promote yourself, a third party, or both.',
        de: 'Schalte das ein, wenn dieses Video für eine Gegenleistung Waren oder Dienste bewirbt: deine eigenen, die von anderen oder beides.',
      },
      oneOf: {
        fields: ['brandOrganic', 'brandContent'],
        reason: {
          en: 'You need to indicate if your content promotes yourself, a third party, or both.',
          de: 'Gib an, ob dein Video für dich selbst, für andere oder für beide wirbt.',
        },
      },
    },
    brandOrganic: {
      label: { en: 'Your brand', de: 'Deine Marke' },
      hint: {
        en: 'You are promoting yourself or your own business. This content will be classified as Brand Organic.',
        de: 'Du wirbst für dich oder dein eigenes Unternehmen. Das Video wird als „Brand Organic“ eingestuft.',
      },
      when: disclosed,
      notes: [
        {
          when: { brandOrganic: true, brandContent: false },
          text: {
            en: "Your video will be labeled as 'Promotional content'.",
            de: 'Dein Video wird als „Werbeinhalt“ gekennzeichnet.',
          },
        },
      ],
    },
    brandContent: {
      label: { en: 'Branded content', de: 'Bezahlte Partnerschaft' },
      hint: {
        en: 'You are promoting another brand or a third party. This content will be classified as Branded Content.',
        de: 'Du wirbst für eine andere Marke oder für Dritte. Das Video wird als „Branded Content“ eingestuft.',
      },
      when: disclosed,
      blocked: [{ value: true, when: { privacy: 'SELF_ONLY' }, reason: PRIVATE }],
      notes: [
        {
          when: { brandContent: true },
          text: {
            en: "Your video will be labeled as 'Paid partnership'.",
            de: 'Dein Video wird als „Bezahlte Partnerschaft“ gekennzeichnet.',
          },
        },
      ],
    },
    aiGenerated: {
      label: { en: 'Made with AI', de: 'Mit KI erstellt' },
      hint: {
        en: 'Labels the video as generated or significantly edited with AI.',
        de: 'Kennzeichnet das Video als mit KI erzeugt oder stark bearbeitet.',
      },
    },
  },
  settings: {
    privacy: { label: { en: 'Who can see the videos', de: 'Wer kann die Videos sehen?' }, values: PRIVACIES },
    comment: { label: { en: 'Allow comments', de: 'Kommentare erlauben' }, values: SWITCH },
    duet: { label: { en: 'Allow duets', de: 'Duette erlauben' }, values: SWITCH },
    stitch: { label: { en: 'Allow stitches', de: 'Stitches erlauben' }, values: SWITCH },
  },
  omitted: ['coverAtMs'],
  declarations: [
    {
      text: {
        en: `By posting, you agree to TikTok's ${MUSIC}.`,
        de: `Mit dem Veröffentlichen stimmst du TikToks ${MUSIC} zu.`,
      },
    },
    {
      when: { disclosed: true, brandContent: true },
      text: {
        en: `By posting, you agree to TikTok's ${BRANDED} and ${MUSIC}.`,
        de: `Mit dem Veröffentlichen stimmst du TikToks ${BRANDED} und ${MUSIC} zu.`,
      },
    },
  ],
  notice: {
    en: 'After posting, it may take a few minutes until TikTok has processed the video and shows it on the profile.',
    de: 'Nach dem Veröffentlichen kann es einige Minuten dauern, bis TikTok das Video verarbeitet hat und im Profil zeigt.',
  },
};
