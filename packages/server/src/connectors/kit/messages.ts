/** The messages of one platform: the shared ones, with the platform's name, and its own. */
import { type MessageFactory, type MessageTable, messagesOf } from '../../messages/message.ts';
import { sayOf, type TIMELINE_MESSAGES } from '../../messages/timeline.ts';
import type { SameTable } from '../../messages/translation.ts';

export interface PlatformMessages<Own extends MessageTable> {
  /** Creates a message of the shared table or of the platform's own. `{platform}` is filled in. */
  say: MessageFactory<typeof TIMELINE_MESSAGES & Own, 'platform'>;
  /** The platform's own messages by their stored codes (`PLATFORM.code`), for {@link Connector.messages}. */
  messages: MessageTable;
  /** The same by codes without prefix, for {@link platformTranslation}. */
  own: Own;
}

/**
 * @param platform id and name
 * @param own messages that only this platform uses, by codes without its id
 */
export function platformMessages<const Own extends MessageTable>(
  { id, name }: { id: string; name: string },
  own: Own,
): PlatformMessages<Own> {
  const shared = sayOf(name) as MessageFactory<MessageTable>;
  const messages = prefixed(id, own);
  const special = messagesOf<MessageTable, 'platform'>(messages, { platform: name });
  const say = (code: string, ...params: []) =>
    code in own ? special(`${id}.${code}`, ...params) : shared(code, ...params);
  return { say: say as unknown as PlatformMessages<Own>['say'], messages, own };
}

/**
 * The messages of {@link platformMessages} in another language, by their stored codes.
 * @param id of the platform
 */
export function platformTranslation<Own extends MessageTable>(id: string) {
  return <const Table extends { readonly [Code in keyof Own]: string }>(
    table: Table & SameTable<Own, Table>,
  ): MessageTable => prefixed(id, table);
}

function prefixed(id: string, table: Readonly<Record<string, string>>): MessageTable {
  return Object.fromEntries(Object.entries(table).map(([code, text]) => [`${id}.${code}`, text]));
}
