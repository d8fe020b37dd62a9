/** Simulator of a Telegram Bot API server, based on core.telegram.org/bots/api and the server's open source. */
import type { Simulator, SimulatorModule, SimulatorOptions } from '../../contract.ts';
import { ownChannel } from './accounts.ts';
import { NOT_FOUND, refusal, tooMany, UNAUTHORIZED } from './answers.ts';
import { methodRoutes } from './caller.ts';
import { getChat, getChatMember, getMe } from './chats.ts';
import { fileRoutes, getFile } from './files.ts';
import { deleteMessage, editMessageCaption, pageRoutes, sendVideo } from './messages.ts';
import { createWorld, SWITCHES, type TelegramSwitches } from './records.ts';

const METHODS = { getMe, getChat, getChatMember, getFile, sendVideo, editMessageCaption, deleteMessage };

export const simulator: SimulatorModule = {
  platform: 'telegram',
  create,
  endpoints: (baseUrl) => ({ api: baseUrl, web: `${baseUrl}/web` }),
  variants: [
    {
      name: 'no storage chat',
      prepare: (books) => books.put<TelegramSwitches>(...SWITCHES, { noStorageChat: true }),
    },
    {
      name: 'a channel so large that videos are converted first',
      prepare: (books) => books.put<TelegramSwitches>(...SWITCHES, { convertsLater: true }),
    },
  ],
};

function create(options: SimulatorOptions): Simulator {
  const world = createWorld(options);
  return {
    platform: 'telegram',
    routes: [...pageRoutes(world), ...fileRoutes(world), ...methodRoutes(world, METHODS)],
    refusal(kind) {
      switch (kind) {
        case 'rate-limited':
          return refusal(429, 'Too Many Requests');
        case 'rate-limited-with-wait':
          return tooMany(7);
        case 'server-error':
          return refusal(500, 'Internal Server Error: restart');
        case 'token-expired':
        case 'token-revoked':
          return UNAUTHORIZED;
      }
    },
    unknownRoute: () => NOT_FOUND,
    async enrol(username) {
      const { channelId, channelName, token, storageId } = await ownChannel(world, username);
      return {
        remoteId: channelId,
        username: channelName,
        tokenAnswer: null,
        credentials: { identifier: `@${channelName} ${storageId}`.trim(), secret: token },
      };
    },
  };
}
