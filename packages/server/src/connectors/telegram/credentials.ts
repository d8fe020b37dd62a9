/** Login with a bot token, and the channel. The channel's owner must have made the bot an administrator. */
import { withoutFinalSlashes } from '../../lib/text.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, CredentialsFlow, Tokens } from '../contract.ts';
import { reconnect, rejected, setup } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { withNetworkFailures } from '../kit/network-failures.ts';
import { ask, botIdOf, type Caller, resultOf, TELEGRAM_API } from './api.ts';
import { chatsFrom, commonStorage, mayPost, readChat, storageChat } from './chats.ts';
import { failureOf } from './classify.ts';
import { capabilitiesOf } from './limits.ts';
import { say } from './messages.ts';

export const flow: CredentialsFlow = {
  fields: [
    {
      name: 'identifier',
      title: { en: 'Channel', de: 'Kanal' },
      hint: {
        en: '@name or its number (-100…). Your bot must be an administrator of it. If you like, add a space and a private storage chat.',
        de: '@name oder seine Nummer (-100…). Dein Bot muss dort Administrator sein. Auf Wunsch folgen ein Leerzeichen und ein privater Speicher-Chat.',
      },
      secret: false,
      required: true,
    },
    {
      name: 'secret',
      title: { en: 'Bot token', de: 'Bot-Token' },
      hint: {
        en: 'Send /newbot to [@BotFather](https://t.me/BotFather) to create a bot. Its last message contains the token.',
        de: 'Sende [@BotFather](https://t.me/BotFather) den Befehl /newbot, um einen Bot anzulegen. Die letzte Nachricht enthält das Token.',
      },
      secret: true,
      required: true,
    },
    {
      name: 'service',
      title: { en: 'Bot API server', de: 'Bot-API-Server' },
      hint: { en: 'Its URL, only if you run your own.', de: 'Seine URL, nur falls du einen eigenen betreibst.' },
      secret: false,
      required: false,
    },
  ],
  open,
};

/** Checks the token and the chats. Bot tokens do not expire and are not refreshed. */
async function open(context: ConnectContext, input: Record<string, string>): Promise<Tokens> {
  const token = (input.secret ?? '').trim();
  if (!/^\d{5,20}:[\w-]{20,64}$/.test(token)) throw new PlatformError(setup(say('token_malformed')));
  const named = chatsFrom(input.identifier ?? '');
  const service = serviceFrom(input.service ?? '', context);
  const caller: Caller = { http: withNetworkFailures(context.http), endpoints: context.endpoints, service, token };
  const me = await ask(caller, 'getMe', {});
  if (me.status === 401) throw new PlatformError({ ...rejected('permission', say('bot_token_rejected')), status: 401 });
  if (at(resultOf(me), 'is_bot') !== true) throw new PlatformError(failureOf(me));
  const channel = await readChat(caller, named.channel);
  const storage = named.storage === null ? null : await storageChat(caller, named.storage, channel);
  return {
    secret: { token, channel: channel.id, storage: storage?.id ?? '' },
    scopes: [],
    expiresIn: null,
    refreshExpiresIn: null,
    service,
  };
}

/**
 * Returns the URL of a Bot API server without a trailing slash; "" for Telegram's own. @throws PlatformError `setup`
 */
function serviceFrom(text: string, { endpoints }: ConnectContext): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || !url.hostname)
    throw new PlatformError(setup(say('server_url_invalid')));
  const service = withoutFinalSlashes(`${url.origin}${url.pathname}`);
  return service === endpoints.api ? '' : service;
}

/**
 * Reads the channel and checks that the bot may post there. The channel's picture is omitted, because its only URL
 * contains the token.
 * @throws PlatformError
 */
export async function identify(context: ConnectContext, { secret, service }: Tokens): Promise<AccountFacts> {
  const { endpoints, settings } = context;
  const caller: Caller = {
    http: withNetworkFailures(context.http),
    endpoints,
    service,
    token: textAt(secret, 'token'),
  };
  const chat = await readChat(caller, textAt(secret, 'channel'));
  const { title } = chat;
  if (chat.type !== 'channel') throw new PlatformError(setup(say('not_channel', { title })));
  if (!(await mayPost(caller, chat))) throw new PlatformError(reconnect(say('not_admin', { title })));
  const storage = textAt(secret, 'storage') ? '' : await commonStorage(caller, settings.storageChat, chat);
  return {
    remoteId: chat.id,
    // A channel's id is public, so any server other than Telegram's or the operator's could claim it.
    globalId: service === '' || service === TELEGRAM_API,
    username: chat.username ? `@${chat.username}` : title,
    displayName: title,
    avatarUrl: '',
    capabilities: capabilitiesOf({ local: (service || settings.apiUrl || TELEGRAM_API) !== TELEGRAM_API }),
    // A server of the user's own could claim any bot and any channel, so it is read separately.
    extra: {
      reader: `${service} ${botIdOf(caller.token)}`.trim(),
      publicName: chat.username,
      ...(storage ? { storage } : {}),
    },
    service,
  };
}
