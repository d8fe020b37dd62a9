/**
 * How the apps of the platforms show a post on a phone: roughly, because apps change and phones differ. Pure data.
 */
import {
  type Icon,
  IconBookmark,
  IconHeart,
  IconMessageCircle,
  IconRepeat,
  IconSend,
  IconShare3,
  IconStar,
  IconThumbDown,
  IconThumbUp,
} from '../../../../ui/icons/index.ts';

/** From each edge, in percent of the width or height of the video. */
export interface Margins {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export interface Shell {
  /** `screen`: the video fills the screen, and the text is on it. `above` and `below`: a feed, and where its text is. */
  layout: 'screen' | 'above' | 'below';
  /** `either`: the title, and without one the first line of the caption. */
  text: 'caption' | 'either' | 'both';
  /** Lines of the text before it is cut off; null: it is shown in full. */
  lines: number | null;
  /** The buttons of the app. */
  signs: readonly Icon[];
  /** What the app covers with its own texts and buttons. Absent: no source states it. */
  covered?: Margins;
}

/** "Keep clear of the top 14 %, the bottom 35 % and 6 % of each side" (Meta Business Help, ads on Reels, 2026). */
const REELS: Margins = { top: 14, right: 6, bottom: 35, left: 6 };
/** The tabs, the row of buttons at the right and the lowest fifth (guides of 2026 to the app). */
const TIKTOK: Margins = { top: 7, right: 14, bottom: 20, left: 6 };
/** The buttons at the right and the lowest quarter, with title and channel (guides of 2026 to the app). */
const SHORTS: Margins = { top: 10, right: 16, bottom: 25, left: 5 };

const SCREEN: Shell = {
  layout: 'screen',
  text: 'caption',
  lines: 2,
  signs: [IconHeart, IconMessageCircle, IconShare3],
};
const FEED: Shell = { layout: 'above', text: 'caption', lines: null, signs: [] };

const SHELLS: Readonly<Record<string, Shell>> = {
  tiktok: { ...SCREEN, signs: [IconHeart, IconMessageCircle, IconBookmark, IconShare3], covered: TIKTOK },
  instagram: { ...SCREEN, lines: 1, signs: [IconHeart, IconMessageCircle, IconRepeat, IconSend], covered: REELS },
  facebook: { ...SCREEN, signs: [IconThumbUp, IconMessageCircle, IconShare3], covered: REELS },
  youtube: {
    ...SCREEN,
    text: 'either',
    signs: [IconThumbUp, IconThumbDown, IconMessageCircle, IconShare3],
    covered: SHORTS,
  },
  snapchat: SCREEN,
  threads: { ...FEED, signs: [IconHeart, IconMessageCircle, IconRepeat, IconSend] },
  x: { ...FEED, signs: [IconMessageCircle, IconRepeat, IconHeart, IconBookmark, IconShare3] },
  bluesky: { ...FEED, signs: [IconMessageCircle, IconRepeat, IconHeart, IconShare3] },
  mastodon: { ...FEED, signs: [IconMessageCircle, IconRepeat, IconStar, IconBookmark] },
  linkedin: { ...FEED, lines: 3, signs: [IconThumbUp, IconMessageCircle, IconRepeat, IconSend] },
  telegram: { ...FEED, layout: 'below' },
  pinterest: { ...FEED, layout: 'below', text: 'both', lines: 2, signs: [IconHeart, IconMessageCircle, IconShare3] },
};

/** @param platform undefined: no account is chosen */
export function shellOf(platform: string | undefined): Shell {
  return (platform && SHELLS[platform]) || SCREEN;
}

export interface PostText {
  /** Empty: the post has none. */
  title: string;
  caption: string;
}

/** The texts that the app shows. Empty texts are not shown. */
export function shownText({ text }: Pick<Shell, 'text'>, { title, caption }: PostText): PostText {
  if (text === 'caption') return { title: '', caption };
  if (text === 'both') return { title, caption };
  return { title: title.trim() || firstLine(caption), caption: '' };
}

function firstLine(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.find((line) => line !== '') ?? '';
}
