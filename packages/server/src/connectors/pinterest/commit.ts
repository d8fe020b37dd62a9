/** The request that creates the pin, and what its response proves. */
import type { CommitPlan, ConfirmResult, JsonObject, Media, PostContent, Work } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { bearer, read } from './api.ts';
import { progressOf } from './checkpoint.ts';
import { codeOf, failureOf } from './classify.ts';
import { publishedFrom } from './pins.ts';

const DEADLINE_MS = 60_000;
/** Number of sends that include the cover picture. Later sends omit it in case Pinterest rejects the picture. */
const PICTURED_SENDS = 2;

export const commit: CommitPlan = {
  async request({ session, post, media }, checkpoint) {
    const { boardId, mediaId, sends } = progressOf(checkpoint);
    const given = {
      title: textAt(post.options, 'title'),
      description: post.text,
      link: textAt(post.options, 'link'),
      alt_text: textAt(post.options, 'altText'),
    };
    const body = {
      board_id: boardId,
      ...Object.fromEntries(Object.entries(given).filter(([, text]) => text !== '')),
      media_source: {
        source_type: 'video_id',
        media_id: mediaId,
        ...(sends > PICTURED_SENDS ? frameOf(post) : await pictureOf(media, post)),
      },
    };
    return {
      method: 'POST',
      url: `${session.endpoints.api}/v5/pins`,
      headers: bearer(session.secret),
      body: { kind: 'bytes', type: 'application/json; charset=UTF-8', bytes: JSON.stringify(body) },
      deadlineMs: DEADLINE_MS,
    };
  },
  // Only errors in the API's own format that Pinterest raises before it creates a pin. Nothing protects against a
  // second pin, neither an idempotency key nor single-use media, so every other response is verified.
  answers: [
    { status: [200, 201], proves: 'done' },
    { status: 400, code: '1', proves: 'refused' },
    { status: 400, code: 'media', proves: 'notYet' },
    { status: 400, code: 'cover', proves: 'notYet' },
    { status: 401, code: '2', proves: 'notYet' },
    { status: 401, code: '3', proves: 'notYet' },
    { status: 403, code: '29', proves: 'refused' },
    { status: 403, code: 'consumer', proves: 'refused' },
    { status: 404, code: 'board', proves: 'refused' },
    { status: 404, code: 'media', proves: 'notYet' },
    { status: 429, code: '8', proves: 'notYet' },
  ],
  codeOf,
  failureOf: (answer) => failureOf(answer),
  /** @throws TypeError if the response is not a pin */
  done: ({ session }, _checkpoint, answer) => ({
    then: 'posted',
    published: publishedFrom(session, answer.json(), session.now()),
    note: 'Pinterest has made the pin.',
  }),
};

/** Returns the cover at the chosen moment. If the picture cannot be read, names the nearest key frame time instead. */
async function pictureOf(media: Media, post: PostContent): Promise<JsonObject> {
  const cover = await media.cover().catch(() => null);
  if (!cover) return frameOf(post);
  return { cover_image_content_type: cover.mime, cover_image_data: cover.bytes.toString('base64') };
}

/** Uses whole seconds. A time after the end selects the last frame. */
function frameOf({ previewTimeMs }: PostContent): JsonObject {
  return { cover_image_key_frame_time: Math.max(0, Math.round(previewTimeMs / 1000)) };
}

/** Not needed, because no outcome stays pending. If called, it reads the pin. @throws PlatformError */
export async function confirm({ session }: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const pin = await read(session, `/pins/${encodeURIComponent(textAt(checkpoint, 'pinId'))}`);
  return { then: 'posted', published: publishedFrom(session, pin, session.now()), note: 'The pin is there.' };
}
