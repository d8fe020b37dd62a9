/** What TikTok accepts: limits, the setting of an account, and the options of a post. */
import { z } from 'zod';
import { DAY, MINUTE } from '../../lib/time.ts';
import type { Budget, Capabilities, Choice, PostContent, Session, Work } from '../contract.ts';
import { valuesOf } from '../kit/choices.ts';

/**
 * TikTok's "Video restrictions" (Content Posting API). Ten minutes is the maximum for any account. Each account has its
 * own limit (`creator_info`), which is queried before each post. Audio and aspect ratio are not documented.
 */
export const capabilities: Capabilities = {
  video: {
    maxBytes: 4_000_000_000,
    maxSeconds: 600,
    containers: ['mp4', 'mov', 'webm'],
    videoCodecs: ['h264', 'hevc', 'vp8', 'vp9'],
    minFps: 23,
    maxFps: 60,
    minSide: 360,
    maxSide: 4096,
  },
  caption: { maxLength: 2200, unit: 'utf16' },
  watch: 'announce',
};

/**
 * Calls per user token. The daily cap of posts differs between creators, "typically around 15". TikTok reports it before
 * an upload is opened, which closes the budget. Its own limit only stops a runaway caller.
 */
export const budgets: readonly Budget[] = [
  { name: 'init', scope: 'account', limit: 6, windowMs: MINUTE, kind: 'rate' },
  { name: 'creator', scope: 'account', limit: 20, windowMs: MINUTE, kind: 'rate' },
  { name: 'status', scope: 'account', limit: 30, windowMs: MINUTE, kind: 'rate' },
  { name: 'posts', scope: 'account', limit: 50, windowMs: DAY, kind: 'daily', countsPosts: true },
];

/** Values of `privacy_level`, with labels. */
export const PRIVACIES: Readonly<Record<string, string>> = {
  PUBLIC_TO_EVERYONE: 'Everyone',
  FOLLOWER_OF_CREATOR: 'Followers',
  MUTUAL_FOLLOW_FRIENDS: 'Friends',
  SELF_ONLY: 'Only me',
};

export const OFF = { value: 'off', label: 'No' };
const values = [OFF, { value: 'on', label: 'Yes' }];

/**
 * TikTok's sharing guidelines require the account owner to choose the privacy; nothing may be preselected. Interactions
 * are off until the owner turns them on.
 */
export const choices: readonly Choice[] = [
  { name: 'privacy', label: 'who can see the posts', required: true, values: valuesOf(PRIVACIES) },
  { name: 'comment', label: 'whether viewers may comment', required: false, values },
  { name: 'duet', label: 'whether viewers may make duets', required: false, values },
  { name: 'stitch', label: 'whether viewers may make stitches', required: false, values },
];

/** The options of a post (`post_info` of "Direct Post"). */
export const options = z
  .strictObject({
    /** Overrides the account's privacy setting. It has no default, because the sharing guidelines forbid one. */
    privacy: z.enum(Object.keys(PRIVACIES)).optional(),
    /** False turns an interaction on for this post, true turns it off. Default: the account's setting. */
    disableComment: z.boolean().optional(),
    disableDuet: z.boolean().optional(),
    disableStitch: z.boolean().optional(),
    /** Promotes the creator's own business. */
    brandOrganic: z.boolean().optional(),
    /** Promotes another brand (paid partnership). */
    brandContent: z.boolean().optional(),
    aiGenerated: z.boolean().optional(),
    /** Position of the cover frame, ms from the start, as a 32-bit integer. Defaults to the preview time. */
    coverAtMs: z
      .int()
      .min(0)
      .max(2 ** 31 - 1)
      .optional(),
  })
  .refine(({ brandContent, privacy }) => !(brandContent && privacy === 'SELF_ONLY'), {
    path: ['brandContent'],
    message: 'branded content cannot be visible only to oneself',
  });

/** @throws ZodError if `post.options` does not match {@link options} */
export const optionsOf = (post: Pick<PostContent, 'options'>): z.infer<typeof options> => options.parse(post.options);

const DISABLE = { comment: 'disableComment', duet: 'disableDuet', stitch: 'disableStitch' } as const;
export type Interaction = keyof typeof DISABLE;

/** Whether the post's option, else the account's setting, turns an interaction on. Default: off. */
export function allows(name: Interaction, { post, session }: Pick<Work, 'post' | 'session'>): boolean {
  const disabled = optionsOf(post)[DISABLE[name]];
  return disabled === undefined ? session.choices[name] === 'on' : !disabled;
}

/** Returns the post's privacy, else the account's setting, else "". */
export function privacyOf(post: Pick<PostContent, 'options'>, session: Pick<Session, 'choices'>): string {
  return optionsOf(post).privacy ?? session.choices.privacy ?? '';
}
