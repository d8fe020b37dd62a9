/** Limits of texts, and their length in the units of the platforms. */
import { codePoints } from '../../lib/text.ts';
import { EMOJI } from './emoji.ts';
import { isLinkedHost } from './host-endings.ts';

export interface CaptionLimit {
  maxLength: number;
  /** `weighted`: after NFC, any emoji counts two, letters of most scripts count one, all other characters count two. */
  unit: 'utf16' | 'codepoints' | 'graphemes' | 'weighted';
  /** Maximum length in UTF-8 bytes. */
  maxBytes?: number;
  /** Each link counts as this many characters, regardless of its length. */
  urlLength?: number;
  /** A host name with a well-known ending is a link even without `https://`. */
  bareLinks?: boolean;
  /** Each of these characters counts one more, because it is sent with an escape character. */
  escaped?: string;
  /** An emoji counts as its UTF-8 bytes. */
  emojiBytes?: boolean;
  /** In `@user@domain` the domain does not count. */
  mentionDomainFree?: boolean;
}

/**
 * Matches a URL up to white space, brackets, or quotes, without trailing punctuation. Platforms differ in what belongs
 * to a URL. In doubt a character is counted, so that a text is rejected before the upload and not by the platform.
 */
const LINK = /https?:\/\/[^\s<>"'“”„«»。、，！？]*[^\s<>"'“”„«»。、，！？.,;:!?…)\]}*_~]/giu;
/** Matches a bare host name with an optional path, unless it is part of another word. */
const BARE_LINK =
  /(?<![\p{L}\p{N}@＠#＃$_./-])([a-z0-9][a-z0-9.-]*\.[a-z]{2,})(?![\p{L}\p{N}_@-])(\/(?:[^\s<>"'“”„«»。、，！？]*[^\s<>"'“”„«»。、，！？.,;:!?…)\]}*_~])?)?/giu;
const MENTION_WITH_DOMAIN = /(^|[^\p{L}\p{N}_/=])@([\p{L}\p{N}_.-]+)@[\p{L}\p{N}.-]+[\p{L}\p{N}]/giu;

/** Longer texts are not counted exactly: no post may have them. In UTF-16 units. */
const MAX_COUNTED = 12_000;

/** Returns the length of a text as the platform counts it. What no post may have is counted in characters. */
export function captionLength(text: string, limit: CaptionLimit): number {
  if (text.length > MAX_COUNTED) return codePoints(text);
  let counted = text;
  let links = 0;
  if (limit.mentionDomainFree) counted = counted.replace(MENTION_WITH_DOMAIN, '$1@$2');
  if (limit.urlLength !== undefined)
    counted = counted.replace(LINK, () => {
      links++;
      return 'x';
    });
  if (limit.bareLinks)
    counted = counted.replace(BARE_LINK, (found, host: string, path?: string) => {
      if (!isLinkedHost(host, path !== undefined)) return found;
      links++;
      return 'x';
    });
  const emoji = limit.emojiBytes ? emojiExcess(counted, limit.unit) : 0;
  return countUnits(counted, limit.unit) + emoji + links * ((limit.urlLength ?? 1) - 1) + escapes(text, limit.escaped);
}

/** Counts a text as a platform does. */
export type CountCaption = (text: string, limit: CaptionLimit) => number;

/** Counts each text once for each way to count: a post may go to 50 accounts of one platform. */
export function createCaptionCounter(): CountCaption {
  const counted = new Map<string, Map<string, number>>();
  return (text, limit) => {
    // Servers of one platform differ in how much they allow, not in how they count.
    const key = JSON.stringify({ ...limit, maxLength: 0, maxBytes: 0 });
    const lengths = counted.get(key) ?? new Map<string, number>();
    counted.set(key, lengths);
    const length = lengths.get(text) ?? captionLength(text, limit);
    lengths.set(text, length);
    return length;
  };
}

/** How many bytes more than units the emoji of a text have. */
function emojiExcess(text: string, unit: CaptionLimit['unit']): number {
  let excess = 0;
  for (const [emoji] of text.matchAll(EMOJI)) excess += Buffer.byteLength(emoji) - countUnits(emoji, unit);
  return excess;
}

function escapes(text: string, escaped = ''): number {
  let count = 0;
  for (const char of text) if (escaped.includes(char)) count++;
  return count;
}

function countUnits(text: string, unit: CaptionLimit['unit']): number {
  if (unit === 'utf16') return text.length;
  if (unit === 'weighted') return weigh(text);
  let count = 0;
  const units = unit === 'codepoints' ? text : new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text);
  for (const _ of units) count++;
  return count;
}

/** Code point ranges that count as one ("Counting characters", configuration 3 of twitter-text). */
const LIGHT = [
  [0x0000, 0x10ff],
  [0x2000, 0x200d],
  [0x2010, 0x201f],
  [0x2032, 0x2037],
] as const;

function weigh(text: string): number {
  let weight = 0;
  for (const char of text.normalize('NFC').replace(EMOJI, '  ')) {
    const point = char.codePointAt(0) ?? 0;
    weight += LIGHT.some(([first, last]) => point >= first && point <= last) ? 1 : 2;
  }
  return weight;
}

/** Maximum characters dropped from a text to end it at a whole word. */
const MAX_WORD = 24;

/** Shortens a line to a number of UTF-16 units, with an ellipsis after its last whole word or grapheme. */
export function shorten(line: string, maxLength: number): string {
  if (line.length <= maxLength) return line;
  let start = '';
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(line)) {
    if (start.length + segment.length > maxLength - 1) break;
    start += segment;
  }
  const space = start.lastIndexOf(' ');
  return `${(space > start.length - MAX_WORD ? start.slice(0, space) : start).trimEnd()}…`;
}
