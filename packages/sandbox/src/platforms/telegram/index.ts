/** Simulator of a Telegram Bot API server, based on core.telegram.org/bots/api and the server's open source. */
import { defineSimulator } from '../../define-simulator.ts';
import { ownChannel } from './accounts.ts';
import { methodRoutes } from './caller.ts';
import { getChat, getChatMember, getMe } from './chats.ts';
import { fileRoutes, getFile } from './files.ts';
import { deleteMessage, editMessageCaption, pageRoutes, sendVideo } from './messages.ts';
import { phone } from './phone.ts';
import { variant } from './records.ts';
import { NOT_FOUND, refusal, tooMany, UNAUTHORIZED } from './responses.ts';
import { getUpdates, setWebhook } from './updates.ts';

const METHODS = {
  getMe,
  getChat,
  getChatMember,
  getFile,
  getUpdates,
  setWebhook,
  sendVideo,
  editMessageCaption,
  deleteMessage,
};

export const simulator = defineSimulator({
  platform: 'telegram',
  endpoints: (baseUrl) => ({ api: baseUrl, web: `${baseUrl}/web` }),
  variants: [
    variant('no storage chat', { noStorageChat: true }),
    variant('a channel so large that videos are converted first', { convertsLater: true }),
  ],
  routes: (options) => [...pageRoutes(options), ...fileRoutes(options), ...methodRoutes(options, METHODS)],
  refusals: () => ({
    'rate-limited': refusal(429, 'Too Many Requests'),
    'rate-limited-with-wait': tooMany(7),
    'server-error': refusal(500, 'Internal Server Error: restart'),
    'token-expired': UNAUTHORIZED,
    'token-revoked': UNAUTHORIZED,
  }),
  unknownRoute: () => NOT_FOUND,
  phone,
  async enrol(options, given) {
    const { channelId: remoteId, channelName: username, token, storageId } = await ownChannel(options, given);
    return { remoteId, username, credentials: { identifier: `@${username} ${storageId}`.trim(), secret: token } };
  },
});
