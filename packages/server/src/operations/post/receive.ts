/** Receives the form of a post and prepares its video. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../../context.ts';
import { apiError, ReelayError } from '../../errors/reelay-error.ts';
import { type IncomingForm, openForm } from '../../http/receive/form.ts';
import type { Credential } from '../../keys/credential.ts';
import { createScratch, type PreparedVideo, prepareVideo } from '../../posts/prepare.ts';
import type { PostFields } from '../../posts/types.ts';
import { assertOneVideo, receiveVideo, type ScratchVideo } from '../../posts/video-source.ts';
import { openDiskSpaceGuard } from '../../storage/disk-space.ts';
import { namesSource, POST_FIELDS, parseEarlyFields, parsePostFields } from './fields.ts';

/** A request with the form of a post. */
export interface PostRequest {
  credential: Credential;
  raw: IncomingMessage;
  response: ServerResponse;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/** A received form. */
export interface PostForm {
  fields: PostFields;
  /** In the scratch folder; null: the video is not in the form. */
  file: ScratchVideo | null;
}

/** Receives one post. Call its methods in this order, and `close` in any case. */
export interface PostReceiver {
  /**
   * Begins to read, and waits until the video begins. The video is held back until `receive`.
   * @returns the fields before the video; null if the form ended without a video
   * @throws ReelayError of the form, or of a field
   */
  untilVideo(): Promise<Partial<PostFields> | null>;
  /** As {@link IncomingForm.abort}. */
  abort(error: unknown): Promise<never>;
  /** @throws ReelayError of the form, or of a field; `video_missing`, `several_videos` */
  receive(): Promise<PostForm>;
  /**
   * Fetches the video if it is not in the form; checks it, fits it and makes its thumbnail.
   * @throws ReelayError as {@link receiveVideo} and {@link prepareVideo}
   */
  prepare(form: PostForm): Promise<{ original: ScratchVideo; video: PreparedVideo }>;
  /** Removes the scratch files. Never throws. */
  close(): Promise<void>;
}

/** Reads nothing yet. @throws ReelayError `storage_full`, `storage_unavailable` */
export async function openReceiver(
  context: Context,
  { credential, raw, response, signal }: PostRequest,
): Promise<PostReceiver> {
  const { storage, uploads, config } = context;
  const space = await openDiskSpaceGuard(storage, config.leastFreeBytes);
  const scratch = createScratch(context);
  let incoming: IncomingForm | null = null;
  const open = () => {
    incoming ??= openForm(raw, {
      folder: storage.scratch,
      allowed: POST_FIELDS,
      needsNoVideo: namesSource,
      hasher: uploads.hasher,
      response,
      signal,
      onBytes(bytes) {
        space.take(bytes);
        uploads.used(bytes);
      },
    });
    return incoming;
  };
  return {
    async untilVideo() {
      const form = open();
      const fields = await form.untilVideo();
      try {
        return fields && parseEarlyFields(fields);
      } catch (error) {
        return form.abort(error);
      }
    },
    abort: (error) => open().abort(error),
    async receive() {
      const { fields: sent, video: file } = await open().receive();
      if (file) scratch.add(file.path);
      const fields = parsePostFields(sent);
      assertOneVideo(fields, file);
      return { fields, file };
    },
    async prepare({ fields, file }) {
      const { source } = fields;
      const { userId } = credential;
      const original = await receiveVideo(context, { userId, source, file }, { onBytes: space.take, signal });
      scratch.add(original.path);
      return { original, video: await prepareVideo(context, original, fields, { userId, scratch, signal }) };
    },
    async close() {
      await incoming?.discard();
      await scratch.clear();
    },
  };
}

/**
 * Replaces an error caused by the client's disconnection, so that it is not logged as ours. Nobody reads the response.
 */
export function unlessGone(gone: AbortSignal, error: unknown): unknown {
  if (!gone.aborted || error instanceof ReelayError) return error;
  return apiError('upload_aborted', {}, { cause: error });
}
