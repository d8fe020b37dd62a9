/** Parses names of chats and messages from user input. */
import { PlatformError } from '../../outbound/platform-error.ts';
import { beforeQuery, withoutFinalSlashes } from '../../text.ts';

/**
 * Returns a chat id for the Bot API: `@name`, or a number as a string (`-100…` for channels). Also accepts names
 * without "@" and t.me URLs. @throws PlatformError `setup`
 */
export function chatFrom(text: string): string {
  const bare = text.trim().replace(/^(?:https?:\/\/)?(?:t|telegram)\.me\//i, '');
  const inside = /^c\/(\d{5,})(?:\/|$)/.exec(bare)?.[1];
  if (inside) return `-100${inside}`;
  if (/^-?\d{5,20}$/.test(bare)) return bare;
  const name = /^@?([a-z]\w{3,31})(?:\/|$)/i.exec(bare)?.[1];
  if (name) return `@${name}`;
  const detail = 'Name the channel, for instance @noraclips, or give its number, which begins with -100.';
  throw new PlatformError({ kind: 'setup', detail });
}

/** Parses the channel and the optional storage chat. @throws PlatformError `setup` */
export function chatsFrom(text: string): { channel: string; storage: string | null } {
  const [channel = '', storage, ...more] = text.split(/[\s,]+/).filter(Boolean);
  if (more.length === 0)
    return { channel: chatFrom(channel), storage: storage === undefined ? null : chatFrom(storage) };
  throw new PlatformError({ kind: 'setup', detail: 'Name one channel, and at most one storage chat behind it.' });
}

/**
 * Returns the public URL of a message, or for a private channel the URL that members can open; null if neither exists.
 * @param web without a trailing slash
 */
export function postUrl(
  web: string | undefined,
  chat: { id: string; username: string },
  messageId: string,
): string | null {
  const inside = /^-100(\d+)$/.exec(chat.id)?.[1];
  const place = chat.username || (inside && `c/${inside}`);
  return place ? `${web || 'https://t.me'}/${place}/${messageId}` : null;
}

/** Extracts the message number from a bare id or the end of a URL. */
export function canonicalId(id: string): string {
  const bare = withoutFinalSlashes(beforeQuery(id.trim()));
  return /(?:^|\/)(\d+)$/.exec(bare)?.[1] ?? bare;
}
