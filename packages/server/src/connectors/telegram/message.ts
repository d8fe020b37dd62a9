/** What is sent with a video, and what is read of the message that came of it. */
import { Readable } from 'node:stream';
import type { Cover, JsonObject, Published, Work } from '../contract.ts';
import type { HttpBody } from '../kit/http.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { type MultipartPart, multipartBody } from '../kit/multipart.ts';
import { chatOf } from './chats.ts';
import { postUrl } from './names.ts';

const OPTIONS = {
  disableNotification: 'disable_notification',
  protectContent: 'protect_content',
  hasSpoiler: 'has_spoiler',
  showCaptionAboveMedia: 'show_caption_above_media',
} as const;

/** Without real measures some players show a square. Length in whole seconds. */
function measures({ media }: Work): JsonObject {
  return {
    duration: Math.max(1, Math.round(media.durationMs / 1000)),
    width: media.width,
    height: media.height,
    supports_streaming: true,
  };
}

/** The fields of a post but for its video. The caption goes as it is: no mark in it is one. */
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

/** The fields of a video that is only laid down, without a sound and without words. */
export function storageFields(work: Work, chatId: string): JsonObject {
  return { chat_id: chatId, ...measures(work), disable_notification: true };
}

/** A body with the bytes of the video, which are streamed. @param cover the picture that stands for it; null: one of its own */
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

/** By which id the video of a message can be sent again as a video; "" where Telegram took it for something else. */
export function fileIdOf(message: unknown): string {
  return textAt(message, 'video', 'file_id');
}

/** By which id the picture of a message's video can be sent again; "" where it has none. Sizes come from the smallest up. */
export function coverIdOf(message: unknown): string {
  const sizes = at(message, 'video', 'cover');
  return Array.isArray(sizes) ? textAt(sizes.at(-1), 'file_id') : '';
}

/**
 * A message that was published. Number 0 is that of a video which is converted first: the later number is never told.
 * @param web address of public pages @throws TypeError where it is no message
 */
export function publishedFrom(message: unknown, web: string | undefined): Published {
  const number = numberAt(message, 'message_id');
  if (number === null || !Number.isSafeInteger(number) || number < 0) throw new TypeError('The answer is no message.');
  const date = numberAt(message, 'date');
  const published: Published = {
    remoteId: number === 0 ? null : String(number),
    url: number === 0 ? null : postUrl(web, chatOf(at(message, 'chat')), String(number)),
    publishedAt: date !== null && date > 0 ? date * 1000 : null,
  };
  const detail =
    number === 0
      ? 'Telegram converts the video before the channel shows it, and does not tell the address.'
      : at(message, 'document') !== undefined && !fileIdOf(message)
        ? 'Telegram shows it as a file, not as a video.'
        : null;
  return detail ? { ...published, detail } : published;
}
