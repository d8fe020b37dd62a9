/**
 * Wire format of Telegram's Bot API 10.1. The token is in the path, as the API requires; parameters may come in four
 * ways.
 */
import { DIGITS, FILLED, is } from './rules.ts';
import { anything, either, flag, object, type Shape, text, whole } from './shapes.ts';
import type { Known, WireTable } from './table.ts';

/** A number and 35 characters; the colon may be escaped. */
const TOKEN = /^\d+(?::|%3A)[\w-]{30,}$/i;

interface Value {
  form: RegExp;
  json: Shape;
}

type Values = Readonly<Record<string, Value>>;

const CHAT: Value = {
  form: /^(?:-?\d+|@\w+)$/,
  json: either(whole(Number.MIN_SAFE_INTEGER), text(/^(?:-?\d+|@\w+)$/)),
};
/** The server also accepts numbers as strings. */
const NUMBER: Value = { form: DIGITS, json: either(whole(), text(DIGITS)) };
const TRUE_OR_FALSE: Value = { form: is('true', 'false'), json: flag };
const ANY: Value = { form: FILLED, json: anything };
const NAME: Value = { form: FILLED, json: text(FILLED) };
/** A file id or a URL. */
const FILE: Value = { form: /^(?:https?:\/\/[\x21-\x7e]+|file:\/\/.+|[\w-]+)$/, json: text(/^[\x21-\x7e]+$/) };

const VIDEO_OPTIONS: Values = {
  duration: NUMBER,
  width: NUMBER,
  height: NUMBER,
  cover: NAME,
  thumbnail: NAME,
  // The limit applies after entities are parsed. A text of more than four times the limit cannot be within it.
  caption: { form: /^.{0,4096}$/s, json: text(/^.{0,4096}$/s) },
  parse_mode: { form: is('HTML', 'MarkdownV2'), json: text(is('HTML', 'MarkdownV2')) },
  caption_entities: ANY,
  supports_streaming: TRUE_OR_FALSE,
  start_timestamp: NUMBER,
  show_caption_above_media: TRUE_OR_FALSE,
  has_spoiler: TRUE_OR_FALSE,
  disable_notification: TRUE_OR_FALSE,
  protect_content: TRUE_OR_FALSE,
  allow_paid_broadcast: TRUE_OR_FALSE,
  reply_markup: ANY,
};

const forms = (values: Values) => Object.fromEntries(Object.entries(values).map(([name, { form }]) => [name, form]));
const shapes = (values: Values) => Object.fromEntries(Object.entries(values).map(([name, { json }]) => [name, json]));

/** Returns the entries of one method, whose name is case-insensitive. */
function method(name: string, required: Values = {}, optional: Values = {}): Known[] {
  const at = { at: 'api', path: '/bot:token/:method', params: { token: TOKEN, method: new RegExp(`^${name}$`, 'i') } };
  const given = { required: forms(required), optional: forms(optional) };
  return [
    { method: 'GET', ...at, query: given.required, optionalQuery: given.optional },
    { method: 'POST', ...at, query: given.required, optionalQuery: given.optional },
    { method: 'POST', ...at, body: { kind: 'form', ...given } },
    { method: 'POST', ...at, body: { kind: 'multipart', ...given } },
    { method: 'POST', ...at, body: { kind: 'json', shape: object(shapes(required), shapes(optional)) } },
  ];
}

export const table: WireTable = {
  requests: [
    ...method('getMe'),
    ...method('getChat', { chat_id: CHAT }),
    ...method('getChatMember', { chat_id: CHAT, user_id: NUMBER }),
    ...method('getFile', { file_id: NAME }),
    ...method('getUpdates', {}, { offset: NUMBER, limit: NUMBER, timeout: NUMBER, allowed_updates: ANY }),
    ...method('deleteMessage', { chat_id: CHAT, message_id: NUMBER }),
    ...method('sendVideo', { chat_id: CHAT, video: FILE }, VIDEO_OPTIONS),
    {
      method: 'POST',
      at: 'api',
      path: '/bot:token/:method',
      params: { token: TOKEN, method: /^sendVideo$/i },
      body: {
        kind: 'multipart',
        // The documentation does not say whether "50 MB" is decimal; this is the larger reading.
        required: { chat_id: CHAT.form, video: { least: 1, most: 50 * 1024 * 1024 } },
        optional: forms(VIDEO_OPTIONS),
        others: true,
      },
    },
    { method: 'GET', at: 'api', path: '/file/bot:token/*', params: { token: TOKEN } },
    { method: 'HEAD', at: 'api', path: '/file/bot:token/*', params: { token: TOKEN } },
  ],
};
