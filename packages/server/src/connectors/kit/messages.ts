/** The messages of one platform: the shared ones, with the platform's name, and its own. */
import { type MessageFactory, type MessageTable, messagesOf } from '../../messages/message.ts';
import { sayOf, type TIMELINE_MESSAGES } from '../../messages/timeline.ts';

export interface PlatformMessages<Own extends MessageTable> {
  /** Creates a message of the shared table or of the platform's own. `{platform}` is filled in. */
  say: MessageFactory<typeof TIMELINE_MESSAGES & Own, 'platform'>;
  /** The platform's own messages by their stored codes (`PLATFORM.code`), for {@link Connector.messages}. */
  messages: MessageTable;
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
  const messages = Object.fromEntries(Object.entries(own).map(([code, text]) => [`${id}.${code}`, text]));
  const special = messagesOf<MessageTable, 'platform'>(messages, { platform: name });
  const say = (code: string, ...params: []) =>
    code in own ? special(`${id}.${code}`, ...params) : shared(code, ...params);
  return { say: say as unknown as PlatformMessages<Own>['say'], messages };
}
