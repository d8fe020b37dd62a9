/** What YouTube accepts: limits, the setting of an account, the options of a post, and its texts. */
import { z } from 'zod';
import { DAY } from '../../lib/time.ts';
import type { Budget, Capabilities, Choice, PostContent, Session } from '../contract.ts';
import { shorten } from '../kit/captions.ts';
import { valuesOf } from '../kit/choices.ts';
import { at } from '../kit/json.ts';

/** Limits of `videos.insert` (discovery document of v3: 256 GiB; "Upload videos" in YouTube Help: 12 hours). */
export const capabilities: Capabilities = {
  video: {
    maxBytes: 274_877_906_944,
    maxSeconds: 43_200,
    containers: ['mp4', 'mov', 'webm', 'mpegts', '3gp', 'avi', 'flv'],
    // "Upload HDR videos" in YouTube Help (answer 7126552) lists H.264 with 10 bits.
    h264Formats: ['yuv420p', 'yuvj420p', 'yuv420p10le'],
  },
  caption: { maxLength: 5_000, unit: 'codepoints', maxBytes: 5_000 },
  watch: 'announce',
};

/** Limits of a channel that may not upload long videos, as `identify` reads. */
export const shortUploads: Capabilities = { ...capabilities, video: { ...capabilities.video, maxSeconds: 900 } };

/** Quotas reset at midnight in this time zone ("Quota usage"). */
export const PACIFIC = 'America/Los_Angeles';

/**
 * 100 uploads per day for all channels together ("Quota costs"). Of the 10,000 units per day, 100 thumbnails take half
 * (50 units each). Watching may use half of its budget; one channel needs 96 to 200 units when checked every 15 minutes. The upload limit of a single channel is not documented: its budget never runs out by
 * itself, and exists to be blocked when YouTube reports the limit.
 */
export const budgets: readonly Budget[] = [
  { name: 'uploads', scope: 'app', limit: 100, windowMs: DAY, kind: 'daily', dayIn: PACIFIC, countsPosts: true },
  { name: 'pictures', scope: 'app', limit: 100, windowMs: DAY, kind: 'daily', dayIn: PACIFIC },
  { name: 'watching', scope: 'app', limit: 6_000, windowMs: DAY, kind: 'daily', dayIn: PACIFIC, forReading: true },
  { name: 'channel', scope: 'account', limit: 10_000, windowMs: DAY, kind: 'daily' },
];

const PRIVACIES = { public: 'Everyone', unlisted: 'Anyone with the link', private: 'Only me' };
type Privacy = keyof typeof PRIVACIES;
const privacies = Object.keys(PRIVACIES) as Privacy[];

export const choices: readonly Choice[] = [
  { name: 'privacy', label: 'who can see the videos', required: false, values: valuesOf(PRIVACIES) },
];

/** Maximum length of a title in UTF-16 units, the strictest way to count. */
const MAX_TITLE = 100;
const MAX_DESCRIPTION_BYTES = 5_000;
const MAX_TAGS = 500;

const TAG = z.string().trim().min(1).max(MAX_TAGS);
const TAGS = z
  .array(TAG.regex(/^[^<>]*$/, 'tags cannot contain < or >'))
  .refine((tags) => tagsLength(tags) <= MAX_TAGS, `tags may have at most ${MAX_TAGS} characters in total`);
const CATEGORY = z.string().regex(/^\d{1,3}$/, 'category must be a number as text');

export const options = z.strictObject({
  title: z.string().trim().min(1).max(MAX_TITLE).optional(),
  tags: TAGS.optional(),
  privacy: z.enum(privacies).optional(),
  madeForKids: z.boolean().optional(),
  syntheticMedia: z.boolean().optional(),
  category: CATEGORY.optional(),
  notifySubscribers: z.boolean().optional(),
});

/** Length of tags as YouTube counts them: a tag with a space is quoted, and separating commas count. */
export function tagsLength(tags: readonly string[]): number {
  return tags.reduce((sum, tag) => sum + tag.length + (/\s/.test(tag) ? 2 : 0), Math.max(0, tags.length - 1));
}

/** Returns the post's privacy, else the account's setting, else public. */
export function privacyOf(post: Pick<PostContent, 'options'>, session: Pick<Session, 'choices'>): Privacy {
  const wanted = at(post.options, 'privacy') ?? session.choices.privacy;
  return privacies.find((privacy) => privacy === wanted) ?? 'public';
}

/** Builds the body of `videos.insert`. */
export function resourceOf(post: Pick<PostContent, 'text' | 'options'>, privacy: string): Record<string, unknown> {
  const parsed = options.safeParse(post.options).data ?? {};
  const { title, tags, category = '22', madeForKids = false, syntheticMedia } = parsed;
  return {
    snippet: {
      title: titleOf(title ?? post.text),
      description: descriptionOf(post.text),
      ...(tags?.length ? { tags } : {}),
      categoryId: category,
    },
    status: {
      privacyStatus: privacy,
      selfDeclaredMadeForKids: madeForKids,
      ...(syntheticMedia === undefined ? {} : { containsSyntheticMedia: syntheticMedia }),
    },
  };
}

/** Derives a title from a text: its first nonempty line, shortened to the limit. Never empty. */
export function titleOf(text: string): string {
  const lines = text.toWellFormed().split(/[\r\n\u2028\u2029]+/);
  const line = lines.map((each) => each.replace(/[\p{Cc}\s]+/gu, ' ').trim()).find(Boolean);
  return shorten(withoutAngles(line ?? 'Video'), MAX_TITLE);
}

/**
 * Replaces angle brackets, which neither titles nor descriptions may contain ("Videos", resource properties). A text
 * within the byte limit stays within it.
 */
export function descriptionOf(text: string): string {
  const description = withoutAngles(text);
  // The typographic replacements take three bytes each.
  if (Buffer.byteLength(description) <= MAX_DESCRIPTION_BYTES) return description;
  return text.replaceAll('<', '(').replaceAll('>', ')');
}

function withoutAngles(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›');
}
