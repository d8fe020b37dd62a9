/** The form for a post. The declaration is section 9.1 of the "YouTube API Services Terms of Service". */
import type { PostForm } from '../kit/post-form.ts';

const TERMS = 'https://www.youtube.com/t/terms';

const PRIVACIES = {
  public: { en: 'Everyone', de: 'Alle' },
  unlisted: { en: 'Anyone with the link', de: 'Alle mit dem Link' },
  private: { en: 'Only me', de: 'Nur ich' },
};

export const form: PostForm = {
  fields: {
    title: {
      label: { en: 'Title', de: 'Titel' },
      hint: { en: 'Default: the first line of the caption.', de: 'Sonst die erste Zeile des Textes.' },
    },
    privacy: {
      label: { en: 'Who can see this video', de: 'Wer kann dieses Video sehen?' },
      values: PRIVACIES,
      ask: true,
      inRow: true,
      choice: 'privacy',
    },
    madeForKids: {
      label: { en: 'Is this video made for kids?', de: 'Ist dieses Video speziell für Kinder?' },
      hint: {
        en: 'The law requires an answer for every video. [What is “made for kids”?](https://support.google.com/youtube/answer/9528076)',
        de: 'Das Gesetz verlangt die Angabe für jedes Video. [Was ist „speziell für Kinder“?](https://support.google.com/youtube/answer/9528076)',
      },
      values: {
        true: { en: 'Yes, it’s made for kids', de: 'Ja, speziell für Kinder' },
        false: { en: 'No, it’s not made for kids', de: 'Nein, nicht speziell für Kinder' },
      },
      ask: true,
    },
    syntheticMedia: {
      label: { en: 'Altered or synthetic content', de: 'Veränderte oder künstliche Inhalte' },
      hint: {
        en: 'Something looks real that did not happen or was made with AI.',
        de: 'Etwas wirkt echt, das nicht passiert ist oder mit KI erzeugt wurde.',
      },
    },
    tags: { label: { en: 'Tags', de: 'Tags' } },
    category: {
      label: { en: 'Category', de: 'Kategorie' },
      values: {
        '22': { en: 'People & Blogs', de: 'Menschen & Blogs' },
        '24': { en: 'Entertainment', de: 'Unterhaltung' },
        '23': { en: 'Comedy', de: 'Comedy' },
        '10': { en: 'Music', de: 'Musik' },
        '20': { en: 'Gaming', de: 'Gaming' },
        '26': { en: 'Howto & Style', de: 'Tipps & Styling' },
        '27': { en: 'Education', de: 'Bildung' },
        '28': { en: 'Science & Technology', de: 'Wissenschaft & Technik' },
        '25': { en: 'News & Politics', de: 'Nachrichten & Politik' },
        '17': { en: 'Sports', de: 'Sport' },
        '19': { en: 'Travel & Events', de: 'Reisen & Veranstaltungen' },
        '15': { en: 'Pets & Animals', de: 'Tiere' },
        '2': { en: 'Autos & Vehicles', de: 'Autos & Fahrzeuge' },
        '1': { en: 'Film & Animation', de: 'Film & Animation' },
      },
    },
    notifySubscribers: {
      label: { en: 'Do not notify subscribers', de: 'Abonnenten nicht benachrichtigen' },
      inverted: true,
    },
  },
  settings: {
    privacy: { label: { en: 'Who can see the videos', de: 'Wer kann die Videos sehen?' }, values: PRIVACIES },
  },
  declarations: [
    {
      text: {
        en: `By clicking 'upload,' you certify that the content you are uploading complies with the YouTube Terms of Service (including the YouTube Community Guidelines) at [${TERMS}](${TERMS}). Please be sure not to violate others' copyright or privacy rights.`,
        de: `Mit dem Hochladen bestätigst du, dass deine Inhalte den Nutzungsbedingungen von YouTube (einschließlich der YouTube-Community-Richtlinien) unter [${TERMS}](${TERMS}) entsprechen. Bitte achte darauf, keine Urheber- oder Persönlichkeitsrechte anderer zu verletzen.`,
      },
    },
  ],
};
