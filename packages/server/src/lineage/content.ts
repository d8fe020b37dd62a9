/** Tells whether two posts show the same content. Pure. */
import { comparableText } from '../connectors/kit/comparable-text.ts';
import { DAY, SECOND } from '../lib/time.ts';

/** What tells the content of posts apart. */
export interface ContentForm {
  /** The original text of the content, before any template of a rule. */
  text: string;
  /** In ms; null if the platform does not say. */
  durationMs: number | null;
  /** Whether the duration is that of the file. Otherwise a platform reported it, perhaps in whole seconds. */
  isMeasured: boolean;
}

/** `unclear`: the texts are equal, but the durations are not known well enough. */
export type Likeness = 'same' | 'different' | 'unclear';

/** Two posts can show the same content if they were published within this time, in ms. */
export const SAME_WITHIN_MS = 7 * DAY;
/** Platforms cut and round durations. In ms. */
const DURATION_SLACK_MS = 500;
/** Some platforms report whole seconds, rounded in either direction. In ms. */
export const ROUGH_SLACK_MS = 1_500;

/** Compares two posts on different accounts. Texts without letters and digits equal no other. */
export function compareContent(a: ContentForm, b: ContentForm): Likeness {
  return isSameText(a.text, b.text) ? compareDurations(a, b) : 'different';
}

type Duration = Pick<ContentForm, 'durationMs' | 'isMeasured'>;

function compareDurations(a: Duration, b: Duration): Likeness {
  if (a.durationMs === null || b.durationMs === null) return 'unclear';
  const distance = Math.abs(a.durationMs - b.durationMs);
  if (isRough(a) || isRough(b)) return distance < ROUGH_SLACK_MS ? 'unclear' : 'different';
  return distance <= DURATION_SLACK_MS ? 'same' : 'different';
}

const isRough = ({ durationMs, isMeasured }: Duration) =>
  !isMeasured && durationMs !== null && durationMs % SECOND === 0;

/** Lists of some platforms cut texts. A beginning of this many letters and digits identifies a text. */
const MIN_BEGINNING = 80;

/** An empty text, or one without letters and digits, equals no other. */
export function isSameText(a: string, b: string): boolean {
  const [short, long] = [comparableText(a), comparableText(b)].sort((x, y) => x.length - y.length) as [string, string];
  if (short === '') return false;
  return short === long || (short.length >= MIN_BEGINNING && long.startsWith(short));
}

/**
 * Under which content is found in the database: texts that are equal by {@link isSameText} have the same key.
 * @returns null for a text that equals no other
 */
export function contentKey(text: string): string | null {
  return comparableText(text).slice(0, MIN_BEGINNING) || null;
}

/** Whether a text has letters or digits. */
export const hasText = (text: string): boolean => comparableText(text) !== '';
