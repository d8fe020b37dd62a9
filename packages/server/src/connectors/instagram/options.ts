import { z } from 'zod';

const usernames = z.array(z.string().regex(/^@?[\w.]{1,30}$/, 'must be a user name')).max(3);

/** Instagram-specific post options ("Create a container" in the reference of `/{ig-user-id}/media`). */
export const options = z.strictObject({
  /** If false, the reel appears only in the Reels tab. */
  shareToFeed: z.boolean().optional(),
  /** Up to three users who are invited as collaborators. */
  collaborators: usernames.optional(),
  /** Name of the audio track. */
  audioName: z.string().min(1).max(200).optional(),
  /**
   * Trial reel, first shown to non-followers. It is shared with everyone manually, or by Instagram if it performs well.
   */
  trial: z.enum(['manual', 'performance']).optional(),
  aiGenerated: z.boolean().optional(),
});

type Asked = z.infer<typeof options>;

const STRATEGY: Record<NonNullable<Asked['trial']>, string> = { manual: 'MANUAL', performance: 'SS_PERFORMANCE' };

/** Converts options to request parameters. @throws ZodError if they do not match the schema */
export function optionParameters(given: unknown): Record<string, string> {
  const { shareToFeed, collaborators, audioName, trial, aiGenerated } = options.parse(given);
  return {
    ...(shareToFeed === undefined ? {} : { share_to_feed: String(shareToFeed) }),
    ...(collaborators?.length
      ? { collaborators: JSON.stringify(collaborators.map((name) => name.replace('@', ''))) }
      : {}),
    ...(audioName === undefined ? {} : { audio_name: audioName }),
    ...(trial === undefined ? {} : { trial_params: JSON.stringify({ graduation_strategy: STRATEGY[trial] }) }),
    ...(aiGenerated === undefined ? {} : { is_ai_generated: String(aiGenerated) }),
  };
}
