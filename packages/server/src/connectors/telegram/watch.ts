/**
 * Finds posts of other admins of a channel by the bot's updates, and their files. Telegram keeps updates for 24 hours,
 * and none about the bot's own posts. The channels of one bot are read together.
 */
import { DAY, SECOND } from '../../lib/time.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type {
  JsonObject,
  Session,
  WatchedFile,
  WatchedPost,
  WatchFlow,
  WatchPage,
  WatchPosition,
} from '../contract.ts';
import { at, listAt, numberAt, positiveInteger, secondsAt, textAt } from '../kit/json.ts';
import { ask, type Caller, callerOf, fileUrl, resultOf } from './api.ts';
import { chatOf, postUrl } from './chats.ts';
import { codeOf, failureOf } from './classify.ts';
import { say } from './messages.ts';

/** Less than the API's 100, because an update may have 70 kB and a response at most 1 MiB. */
const MAX_UPDATES = 20;
/** Maximum size of `getFile` on Telegram's own server, in bytes. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;
const KINDS = ['channel_post', 'edited_channel_post', 'my_chat_member'];

export const watch: WatchFlow = { list, file, reader, newOnly: true };

/**
 * The bot, and its server unless that is Telegram's or the operator's. `identify` stores them. Two readers of one bot
 * would take updates away from each other, so a channel whose bot is not known yet is not read.
 */
function reader({ extra }: { extra: JsonObject }): string {
  return textAt(extra, 'reader');
}

/** A second page would confirm the first, which is not committed yet. So each check reads one page. */
async function list(session: Session, { mark }: WatchPosition): Promise<WatchPage> {
  const now = session.now();
  const offset = offsetIn(mark, now);
  const given = { limit: MAX_UPDATES, timeout: 0, allowed_updates: KINDS };
  const response = await ask(callerOf(session), 'getUpdates', offset === null ? given : { ...given, offset });
  const updates = resultOf(response);
  if (!Array.isArray(updates)) throw new PlatformError(failureOf(response));
  const ids = updates.map((update) => numberAt(update, 'update_id')).filter((id) => Number.isSafeInteger(id));
  const next = Math.max(0, ...ids.map((id) => Number(id) + 1));
  const messages = updates.map((update) => at(update, 'edited_channel_post') ?? at(update, 'channel_post'));
  return {
    posts: postsFrom(messages, session.endpoints.web),
    next: '',
    ...(next > 0 && { mark: { offset: next, at: now } }),
    // A server that ignores the offset returns the same updates forever.
    more: updates.length >= MAX_UPDATES && next > (offset ?? 0),
  };
}

/** After a week without updates, Telegram may continue with lower ids, which an old offset would confirm unread. */
function offsetIn(mark: JsonObject | null, now: number): number | null {
  return now - (numberAt(mark, 'at') ?? 0) < DAY ? numberAt(mark, 'offset') : null;
}

/** @param messages oldest first; an edited message replaces its earlier version */
function postsFrom(messages: readonly unknown[], web: string | undefined): WatchedPost[] {
  const posts = new Map<string, WatchedPost>();
  for (const message of messages) {
    const post = postFrom(message, web);
    if (!post) continue;
    const album = textAt(message, 'media_group_id');
    const key = `${post.account} ${album ? `album ${album}` : post.remoteId}`;
    const first = album ? posts.get(key) : undefined;
    posts.set(key, first ? { ...first, text: first.text || post.text } : post);
  }
  return [...posts.values()].reverse();
}

/** Returns null unless the message is a video posted in a channel. */
function postFrom(message: unknown, web: string | undefined): WatchedPost | null {
  const chat = chatOf(at(message, 'chat'));
  const number = numberAt(message, 'message_id');
  const fileId = textAt(message, 'video', 'file_id');
  const isForwarded = at(message, 'forward_origin') !== undefined || at(message, 'forward_date') !== undefined;
  if (chat.type !== 'channel' || !chat.id || !isId(number) || !fileId || isForwarded) return null;
  return {
    remoteId: String(number),
    account: chat.id,
    publishedAt: secondsAt(message, 'date'),
    text: textAt(message, 'caption'),
    url: postUrl(web, chat, String(number)),
    durationMs: positiveInteger((numberAt(message, 'video', 'duration') ?? 0) * SECOND),
    width: positiveInteger(numberAt(message, 'video', 'width')),
    height: positiveInteger(numberAt(message, 'video', 'height')),
    // A channel without a name is private.
    isPublic: chat.username !== '',
    file: { fileId, smaller: smallerFileId(message) },
    ...(textAt(message, 'media_group_id') && { problem: say('post_is_album') }),
  };
}

function isId(number: number | null): boolean {
  return Number.isSafeInteger(number) && Number(number) > 0;
}

/** Returns the file id of the largest variant that Telegram's own server gives; "" if it gives no variant. */
function smallerFileId(message: unknown): string {
  const variants = listAt(message, 'video', 'qualities').map((variant) => ({
    fileId: textAt(variant, 'file_id'),
    codec: textAt(variant, 'codec'),
    bytes: numberAt(variant, 'file_size') ?? 0,
  }));
  const fitting = variants.filter(({ codec, bytes }) => codec === 'h264' && bytes > 0 && bytes <= MAX_FILE_BYTES);
  return fitting.sort((one, other) => other.bytes - one.bytes)[0]?.fileId ?? '';
}

/** The URL contains the bot token. Bots do not learn whether a post was deleted. */
async function file(session: Session, { file: stored }: Pick<WatchedPost, 'file'>): Promise<WatchedFile> {
  const caller = callerOf(session);
  const fileIds = [textAt(stored, 'fileId'), textAt(stored, 'smaller')].filter((id) => id !== '');
  for (const file_id of fileIds) {
    const response = await ask(caller, 'getFile', { file_id });
    const path = textAt(resultOf(response), 'file_path');
    if (path) return fileAt(caller, path);
    if (codeOf(response) !== 'too_large') throw new PlatformError(failureOf(response));
  }
  return { found: 'none', why: say('file_too_large') };
}

/**
 * A server started with `--local` returns a path on its own disk, below a folder named after the token. It serves no
 * files, so a web server in front of it must.
 */
async function fileAt(caller: Caller, path: string): Promise<WatchedFile> {
  if (!/^(?:\/|[a-z]:)/i.test(path)) return { found: 'file', url: fileUrl(caller, path) };
  const [, inside] = path.split(`/${caller.token}/`);
  if (!inside) return { found: 'none', why: say('file_not_served') };
  const url = fileUrl(caller, inside);
  const response = await caller.http({ method: 'HEAD', url });
  if (response.status === 200) return { found: 'file', url };
  if (response.status >= 500) throw new PlatformError(failureOf(response));
  return { found: 'none', why: say('file_not_served') };
}
