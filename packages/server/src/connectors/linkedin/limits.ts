/** What LinkedIn accepts: limits, budgets, post options, and the format of a text. */
import { z } from 'zod';
import { DAY } from '../../lib/time.ts';
import type { Budget, Capabilities, JsonObject } from '../contract.ts';

/**
 * Maximum length after escaping, in UTF-16 units. This is the value that other clients use; the documentation gives
 * none.
 */
export const MAX_ESCAPED = 3_000;

/**
 * Reserved characters of LinkedIn's "little text" format (learn.microsoft.com, "little Text Format"). An unescaped one
 * can silently truncate the text, so all are escaped with a backslash, except the `#` of a hashtag.
 */
const RESERVED = '\\|{}@[]()<>#*_~';
const ANY_RESERVED = '[\\\\|{}@[\\]()<>#*_~]';
const HASHTAG = '(?<![\\p{L}\\p{N}\\p{M}_#&])#(?=\\p{N}*\\p{L})';
const ESCAPED = new RegExp(`(${HASHTAG})|${ANY_RESERVED}`, 'gu');

/** Escapes a text. Readers see the original text, with working hashtags. */
export function escapeText(text: string): string {
  return text.replace(ESCAPED, (char, hashtag: string | undefined) => (hashtag ? char : `\\${char}`));
}

/** Converts a text from LinkedIn to what readers see: removes escapes, hashtag templates, and mention markup. */
export function plainText(text: string): string {
  return text
    .replace(/\{hashtag\|\\?#\|([^{}|]+)\}/gu, '#$1')
    .replace(/@\[((?:[^\\[\]]|\\.)+)\]\(urn:li:[^()]+\)/gu, '$1')
    .replace(new RegExp(`\\\\(${ANY_RESERVED})`, 'gu'), '$1');
}

/**
 * From the Videos API specifications. "500 MB" is read as 500 million bytes, and "75 kB" as 75 × 1,024 bytes. The `#`
 * of a hashtag is not escaped but is counted as if it were.
 */
export const capabilities: Capabilities = {
  video: {
    maxBytes: 500_000_000,
    minBytes: 76_800,
    minSeconds: 3,
    maxSeconds: 1_800,
    containers: ['mp4'],
    videoCodecs: ['h264'],
    audioCodecs: ['aac'],
    maxFps: 60,
    minAspect: 1 / 2.4,
    maxAspect: 2.4,
  },
  caption: { maxLength: MAX_ESCAPED, unit: 'utf16', escaped: RESERVED },
  watch: 'own',
};

/**
 * Limits per UTC day, from "Share on LinkedIn": 150 requests per member and 100,000 per application. One video takes
 * one of each.
 */
export const budgets: readonly Budget[] = [
  { name: 'posts', scope: 'account', limit: 150, windowMs: DAY, kind: 'daily', dayIn: 'UTC', countsPosts: true },
  // Watching uses at most half of a budget. So the 100 requests of a new application leave some for verifications.
  { name: 'lists', scope: 'account', limit: 150, windowMs: DAY, kind: 'daily', dayIn: 'UTC' },
  { name: 'posts of the application', scope: 'app', limit: 100_000, windowMs: DAY, kind: 'daily', dayIn: 'UTC' },
];

/** Post options specific to LinkedIn. */
export const options: z.ZodType<JsonObject> = z
  .strictObject({
    /** Title shown with the video. */
    title: z.string().min(1).max(200),
    /** `CONNECTIONS` is not valid for pages, which have no connections. */
    visibility: z.enum(['PUBLIC', 'CONNECTIONS', 'LOGGED_IN']),
  })
  .partial();
