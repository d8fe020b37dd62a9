/** Names of chats and messages, as people write them. */
import { beforeQuery, withoutFinalSlashes } from '../../text.ts';
import { PlatformError } from '../kit/failure.ts';

/**
 * What the Bot API calls a chat: `@name`, or a number in text (`-100…` for channels). Understood are also names without
 * "@" and addresses of t.me. @throws PlatformError `setup`
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

/** The channel, and the chat behind it where videos are laid down first. @throws PlatformError `setup` */
export function chatsFrom(text: string): { channel: string; storage: string | null } {
  const [channel = '', storage, ...more] = text.split(/[\s,]+/).filter(Boolean);
  if (more.length === 0)
    return { channel: chatFrom(channel), storage: storage === undefined ? null : chatFrom(storage) };
  throw new PlatformError({ kind: 'setup', detail: 'Name one channel, and at most one storage chat behind it.' });
}

/**
 * Public page of a message; of a private channel the one that its members can open. Null where there is none.
 * @param web without a final slash
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

/** The number of a message in its channel, alone or at the end of an address. */
export function canonicalId(id: string): string {
  const bare = withoutFinalSlashes(beforeQuery(id.trim()));
  return /(?:^|\/)(\d+)$/.exec(bare)?.[1] ?? bare;
}
