/** The irreversible request (`threads_publish`). It publishes the post; a second one might publish a second post. */
import { NetworkError } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AnswerRule, CommitPlan, ConfirmResult, JsonObject, Session, Work } from '../contract.ts';
import { graphCode } from '../kit/graph.ts';
import { textAt } from '../kit/json.ts';
import { call, VERSION } from './api.ts';
import { postOf, sinceOf } from './checkpoint.ts';
import { failureOf } from './classify.ts';
import { askAgain, findPublished, posted } from './posts.ts';

const DEADLINE_MS = 60_000;
const REFUSALS = [400, 499] as const;
/** Maximum polls for the URL of a published post. After that it counts as posted without a URL. */
const MAX_POLLS = 8;

/** Invalid tokens, rate limits and used-up posts, which Threads reports before it acts. */
const NOT_YET = [
  ...['190', '190/458', '190/459', '190/460', '190/463', '190/464', '190/467', '102'],
  ...['4', '17', '32', '613', '9/2207042'],
];
const REFUSED = ['3', '10', '200'];

const rules = (codes: readonly string[], proves: AnswerRule['proves']): AnswerRule[] =>
  codes.map((code) => ({ status: REFUSALS, code, proves }));

export const commit: CommitPlan = {
  async request({ session }, checkpoint) {
    const { containerId } = postOf(checkpoint);
    const form = { creation_id: containerId, access_token: textAt(session.secret, 'accessToken') };
    return {
      method: 'POST',
      url: `${session.endpoints.graph}/${VERSION}/${session.remoteId}/threads_publish`,
      headers: {},
      body: {
        kind: 'bytes',
        bytes: new URLSearchParams(form).toString(),
        type: 'application/x-www-form-urlencoded',
      },
      deadlineMs: DEADLINE_MS,
    };
  },
  // "Media not found" and "blocked" were observed for posts that had been published. Unlisted codes are verified.
  answers: [{ status: 200, code: '', proves: 'done' }, ...rules(NOT_YET, 'notYet'), ...rules(REFUSED, 'refused')],
  codeOf: graphCode,
  failureOf,
  done(_work, checkpoint, answer) {
    const mediaId = textAt(answer.tryJson(), 'id');
    if (!/^\d+$/.test(mediaId))
      throw new PlatformError({ kind: 'unknownOutcome', detail: 'It did not name the post.' });
    return askAgain({ ...postOf(checkpoint), mediaId, polls: 0 }, 'Threads has published the post.');
  },
};

/**
 * Fetches the URL of a published post. Errors neither fail the post nor delay it for long.
 * @throws PlatformError `tokenExpired`, so that the token is refreshed
 */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const { session } = work;
  const post = postOf(checkpoint);
  try {
    if (post.mediaId) return await shown(session, post.mediaId);
    const found = await findPublished(session, work.post.text, sinceOf(post));
    return found ?? askAgain(post, 'Threads does not list the post yet.');
  } catch (error) {
    if (!(error instanceof PlatformError || error instanceof NetworkError) || isDeadToken(error)) throw error;
  }
  if (!post.mediaId || post.polls < MAX_POLLS) return askAgain(post, 'Published; Threads does not show the post yet.');
  const published = { remoteId: post.mediaId, url: null, publishedAt: null };
  return { then: 'posted', published, note: 'Published; Threads does not show its address.' };
}

/** @throws PlatformError */
async function shown(session: Session, mediaId: string): Promise<ConfirmResult> {
  const fields = 'id,permalink,shortcode,timestamp';
  const told = posted(session, await call(session, 'GET', `/${mediaId}`, { fields }));
  return { ...told, published: { ...told.published, remoteId: mediaId } };
}

function isDeadToken(error: unknown): boolean {
  return error instanceof PlatformError && error.failure.kind === 'tokenExpired';
}
