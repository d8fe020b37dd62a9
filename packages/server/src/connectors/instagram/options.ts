import { z } from 'zod';

const usernames = z.array(z.string().regex(/^@?[\w.]{1,30}$/, 'must be a user name')).max(3);

/** What a post may ask of Instagram alone ("Create a container" of the reference of `/{ig-user-id}/media`). */
export const options = z.strictObject({
  /** False: the reel stands among the reels only. */
  shareToFeed: z.boolean().optional(),
  /** At most three, who are asked to share it as theirs. */
  collaborators: usernames.optional(),
  /** What the sound of the video is called. */
  audioName: z.string().min(1).max(200).optional(),
  /** Shown to others than followers first; shared with all by hand, or by Instagram when it does well. */
  trial: z.enum(['manual', 'performance']).optional(),
  aiGenerated: z.boolean().optional(),
});

type Asked = z.infer<typeof options>;

const STRATEGY: Record<NonNullable<Asked['trial']>, string> = { manual: 'MANUAL', performance: 'SS_PERFORMANCE' };

/** The parameters that options become. @throws ZodError for what this schema never made */
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
