/** Identifies the channel and checks the bot's rights. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Tokens } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { type Caller, TELEGRAM_API } from './api.ts';
import { mayPost, readChat } from './chats.ts';
import { reaching } from './credentials.ts';
import { capabilitiesOf } from './limits.ts';
import { commonStorage } from './storage.ts';

/**
 * Reads the channel and checks that the bot may post there. The channel's picture is omitted, because its only URL
 * contains the token.
 * @throws PlatformError
 */
export async function identify(context: ConnectContext, { secret, service }: Tokens): Promise<AccountFacts> {
  const { endpoints, settings } = context;
  const caller: Caller = { http: reaching(context), endpoints, service, token: textAt(secret, 'token') };
  const chat = await readChat(caller, textAt(secret, 'channel'));
  if (chat.type !== 'channel')
    throw new PlatformError({
      kind: 'setup',
      detail: `"${chat.title}" is no channel, and only channels are posted to.`,
    });
  if (!(await mayPost(caller, chat))) {
    const detail = `The bot may not post in "${chat.title}". Make it an administrator who may post messages, then connect again.`;
    throw new PlatformError({ kind: 'reconnect', detail });
  }
  const storage = textAt(secret, 'storage') ? '' : await commonStorage(caller, settings.storageChat, chat);
  return {
    remoteId: chat.id,
    // A channel's id is public, so any server other than Telegram's or the operator's could claim it.
    globalId: service === '' || service === TELEGRAM_API,
    username: chat.username ? `@${chat.username}` : chat.title,
    displayName: chat.title,
    avatarUrl: '',
    capabilities: capabilitiesOf({ local: (service || settings.apiUrl || TELEGRAM_API) !== TELEGRAM_API }),
    ...(storage ? { extra: { storage } } : {}),
    service,
  };
}
