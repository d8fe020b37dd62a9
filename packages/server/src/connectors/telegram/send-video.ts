/** The parameters of `sendVideo`, and the resulting message. */
import { Readable } from 'node:stream';
import type { HttpBody } from '../../outbound/http-client.ts';
import type { Cover, JsonObject, Published, Work } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { type MultipartPart, multipartBody } from '../kit/multipart.ts';
import { chatOf, postUrl } from './chats.ts';
import { say } from './messages.ts';

const OPTIONS = {
  disableNotification: 'disable_notification',
  protectContent: 'protect_content',
  hasSpoiler: 'has_spoiler',
  showCaptionAboveMedia: 'show_caption_above_media',
} as const;

/** Returns the video's dimensions and its duration in seconds. Without dimensions some players show a square. */
function measures({ media }: Work): JsonObject {
  return {
    duration: Math.max(1, Math.round(media.durationMs / 1000)),
    width: media.width,
    height: media.height,
    supports_streaming: true,
  };
}

/** Returns the fields of a post, without its video. The caption is plain text without markup. */
export function postFields(work: Work, chatId: string): JsonObject {
  const { text, options } = work.post;
  const asked = Object.entries(OPTIONS).filter(([ours]) => at(options, ours) === true);
  return {
    chat_id: chatId,
    ...measures(work),
    ...(text ? { caption: text } : {}),
    ...Object.fromEntries(asked.map(([, theirs]) => [theirs, true])),
  };
}

/** Returns the fields of a video for the storage chat, without notification or caption. */
export function storageFields(work: Work, chatId: string): JsonObject {
  return { chat_id: chatId, ...measures(work), disable_notification: true };
}

/** Returns a streamed form body with the video. @param cover picture to set as the cover; null for none */
export function uploadBody(
  { media }: Work,
  fields: JsonObject,
  cover: Cover | null = null,
): HttpBody & { kind: 'stream' } {
  const picture = cover?.bytes;
  const open = async () => Readable.from([picture ?? ''], { objectMode: false });
  const file = { name: 'picture', filename: 'cover.jpg', type: 'image/jpeg', length: picture?.length ?? 0, open };
  const parts: MultipartPart[] = picture ? [{ name: 'cover', value: 'attach://picture' }, file] : [];
  return multipartBody([
    ...Object.entries(fields).map(([name, value]) => ({ name, value: String(value) })),
    ...parts,
    { name: 'video', filename: 'video.mp4', type: 'video/mp4', length: media.bytes, open: () => media.stream() },
  ]);
}

/** Returns the file id for sending a message's video again; "" if Telegram stored it as another type. */
export function fileIdOf(message: unknown): string {
  return textAt(message, 'video', 'file_id');
}

/** Returns the file id of a message's cover; "" if absent. Telegram lists sizes in ascending order. */
export function coverIdOf(message: unknown): string {
  const sizes = at(message, 'video', 'cover');
  return Array.isArray(sizes) ? textAt(sizes.at(-1), 'file_id') : '';
}

/**
 * Returns the published post of a message. Message id 0 means that the video is converted first; its later id is never
 * reported.
 * @param web base URL of public pages @throws TypeError if the value is not a message
 */
export function publishedFrom(message: unknown, web: string | undefined): Published {
  const number = numberAt(message, 'message_id');
  if (number === null || !Number.isSafeInteger(number) || number < 0)
    throw new TypeError('The response is not a message.');
  const date = numberAt(message, 'date');
  const published: Published = {
    remoteId: number === 0 ? null : String(number),
    url: number === 0 ? null : postUrl(web, chatOf(at(message, 'chat')), String(number)),
    publishedAt: date !== null && date > 0 ? date * 1000 : null,
  };
  if (number === 0) return { ...published, detail: say('converted_later').text };
  if (fileIdOf(message)) return published;
  // An animation is repeated as a document.
  if (at(message, 'animation') !== undefined) return { ...published, detail: say('shown_as_animation').text };
  return at(message, 'document') === undefined ? published : { ...published, detail: say('shown_as_file').text };
}
