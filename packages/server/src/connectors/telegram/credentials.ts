/** Login with a bot token, and the channel. The channel's owner must have made the bot an administrator. */
import { type HttpClient, NetworkError } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import { withoutFinalSlashes } from '../../text.ts';
import type { AccountFacts, ConnectContext, CredentialsFlow, Tokens } from '../contract.ts';
import { reconnect, rejected, setup, transient } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { ask, type Caller, resultOf, TELEGRAM_API } from './api.ts';
import { chatsFrom, commonStorage, mayPost, readChat, storageChat } from './chats.ts';
import { failureOf } from './classify.ts';
import { capabilitiesOf } from './limits.ts';

export const flow: CredentialsFlow = {
  fields: [
    {
      name: 'identifier',
      label: 'Channel (@name or its number, -100…); behind it, after a space, a private storage chat if there is one',
      secret: false,
      required: true,
    },
    { name: 'secret', label: 'Bot token, as @BotFather gave it', secret: true, required: true },
    {
      name: 'service',
      label: 'Address of a Bot API server of your own, if you have one',
      secret: false,
      required: false,
    },
  ],
  open,
};

/** Checks the token and the chats. Bot tokens do not expire and are not refreshed. */
async function open(context: ConnectContext, input: Record<string, string>): Promise<Tokens> {
  const token = (input.secret ?? '').trim();
  if (!/^\d{5,20}:[\w-]{20,64}$/.test(token))
    throw new PlatformError(setup('That is no bot token: a number, a colon and 35 characters.'));
  const named = chatsFrom(input.identifier ?? '');
  const service = serviceFrom(input.service ?? '', context);
  const caller: Caller = { http: reaching(context), endpoints: context.endpoints, service, token };
  const me = await ask(caller, 'getMe', {});
  if (me.status === 401)
    throw new PlatformError({ ...rejected('permission', 'Telegram does not know this bot token.'), status: 401 });
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
    throw new PlatformError(setup('The address of the Bot API server is not one.'));
  const service = withoutFinalSlashes(`${url.origin}${url.pathname}`);
  return service === endpoints.api ? '' : service;
}

/**
 * Wraps the context's client so that its errors are messages for the user who is connecting. They omit the URL, which
 * contains the token.
 */
function reaching({ http }: Pick<ConnectContext, 'http'>): HttpClient {
  return async (request) => {
    try {
      return await http(request);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      const inside = error.reason === 'private_address' || error.reason === 'not_https';
      const hint = inside ? ' The operator has to name its host in ALLOWED_PRIVATE_HOSTS.' : '';
      const detail = `The Bot API server could not be reached (${error.reason}).${hint}`;
      throw new PlatformError(inside ? setup(detail) : transient(detail));
    }
  };
}

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
    throw new PlatformError(setup(`"${chat.title}" is no channel, and only channels are posted to.`));
  if (!(await mayPost(caller, chat))) {
    const detail = `The bot may not post in "${chat.title}". Make it an administrator who may post messages, then connect again.`;
    throw new PlatformError(reconnect(detail));
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
