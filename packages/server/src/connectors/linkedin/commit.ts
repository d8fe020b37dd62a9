/** The request that creates the post, and what its response proves. */
import type { CommitPlan, ConfirmResult, JsonObject, Work } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { headersFor, isOrganization } from './api.ts';
import { codeOf, failureOf } from './classify.ts';
import { escapeText } from './text.ts';
import { uploadOf } from './upload.ts';
import { findByVideo, publishedAs } from './verify.ts';

const DEADLINE_MS = 60_000;
const POLL_AGAIN_MS = 30_000;

export const commit: CommitPlan = {
  async request({ session, post }, checkpoint) {
    const { title, visibility = 'PUBLIC' } = post.options;
    return {
      method: 'POST',
      url: `${session.endpoints.api}/rest/posts`,
      headers: headersFor(session),
      body: {
        kind: 'bytes',
        type: 'application/json; charset=UTF-8',
        bytes: JSON.stringify({
          author: session.remoteId,
          commentary: escapeText(post.text),
          visibility,
          distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
          content: { media: { ...(title === undefined ? {} : { title }), id: uploadOf(checkpoint).video } },
          lifecycleState: 'PUBLISHED',
          isReshareDisabledByAuthor: false,
        }),
      },
      deadlineMs: DEADLINE_MS,
    };
  },
  // LinkedIn checks token, limit, and permission before it creates the post. The documented 400 and 422 codes prove
  // that no post was created. A "duplicate" error has been seen to reference posts that do not exist, and 409 and 5xx
  // prove nothing. These are verified where possible.
  responses: [
    { status: 201, proves: 'done' },
    { status: 401, proves: 'retryable' },
    { status: 429, proves: 'retryable' },
    { status: 400, code: 'MEDIA_ASSET_WAITING_UPLOAD', proves: 'retryable' },
    { status: 400, code: 'UPDATING_ASSET_FAILED', proves: 'retryable' },
    { status: 403, code: 'FORBIDDEN_RESOURCE', proves: 'retryable' },
    { status: 400, code: 'MEDIA_ASSET_PROCESSING_FAILED', proves: 'refused' },
    { status: 400, code: 'INVALID_VIDEO_ID', proves: 'refused' },
    { status: 400, code: 'INVALID_URN_TYPE', proves: 'refused' },
    { status: 400, code: 'INVALID_URN_ID', proves: 'refused' },
    { status: 400, code: 'MISSING_FIELD', proves: 'refused' },
    { status: 400, code: 'INVALID_VALUE_FOR_FIELD', proves: 'refused' },
    { status: 400, code: 'INVALID_VALUE_BLANK_FIELD', proves: 'refused' },
    { status: 400, code: 'QUERY_PARAM_NOT_ALLOWED', proves: 'refused' },
    { status: 400, code: 'FIELD_LENGTH_TOO_LONG', proves: 'refused' },
    { status: 400, code: 'VERSION_MISSING', proves: 'refused' },
    { status: 426, code: 'NONEXISTENT_VERSION', proves: 'refused' },
    { status: 403, code: 'ACCESS_DENIED', proves: 'refused' },
    { status: 404, code: 'NOT_FOUND', proves: 'refused' },
    { status: 422, code: 'UNPROCESSABLE_ENTITY', proves: 'refused' },
  ],
  codeOf,
  failureOf,
  /** Reads the id from a header; the body is empty. */
  done({ session }, checkpoint, { headers }) {
    const ids = [headers['x-restli-id'], headers['x-linkedin-id']].map((each) => each?.replaceAll(/%3a/gi, ':') ?? '');
    const id = ids.find((each) => /^urn:li:\w+:\w+$/.test(each));
    if (id) return { then: 'posted', published: publishedAs(session, id), note: 'Posted.' };
    if (isOrganization(session.remoteId))
      return {
        then: 'confirming',
        checkpoint,
        afterMs: 1_000,
        complete: true,
        note: 'LinkedIn has made the post and did not say its id.',
      };
    return {
      then: 'posted',
      published: { remoteId: null, url: null, publishedAt: null, detail: 'LinkedIn did not say where the post is.' },
      note: 'Posted; LinkedIn did not say its id.',
    };
  },
};

/** Finds the id of a page's post in the page's list when the response had none. @throws PlatformError */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const found = await findByVideo(work.session, uploadOf(checkpoint));
  const id = textAt(found.post, 'id');
  if (id) return { then: 'posted', published: publishedAs(work.session, id), note: 'The page shows the post.' };
  const note = 'LinkedIn has made the post; the page does not show it yet.';
  return { then: 'confirming', checkpoint, afterMs: POLL_AGAIN_MS, complete: true, note };
}
