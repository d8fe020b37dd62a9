/** Simulator of a Telegram Bot API server, based on core.telegram.org/bots/api and the server's open source. */
import type {
  PlatformRefusal,
  Simulator,
  SimulatorModule,
  SimulatorOptions,
  SimulatorResponse,
} from '../../contract.ts';
import { ownChannel } from './accounts.ts';
import { NOT_FOUND, refusal, tooMany, UNAUTHORIZED } from './answers.ts';
import { methodRoutes } from './caller.ts';
import { getChat, getChatMember, getMe } from './chats.ts';
import { fileRoutes, getFile } from './files.ts';
import { deleteMessage, editMessageCaption, pageRoutes, sendVideo } from './messages.ts';
import { createWorld, variant } from './records.ts';

const METHODS = { getMe, getChat, getChatMember, getFile, sendVideo, editMessageCaption, deleteMessage };

export const simulator: SimulatorModule = {
  platform: 'telegram',
  create,
  endpoints: (baseUrl) => ({ api: baseUrl, web: `${baseUrl}/web` }),
  variants: [
    variant('no storage chat', { noStorageChat: true }),
    variant('a channel so large that videos are converted first', { convertsLater: true }),
  ],
};

function create(options: SimulatorOptions): Simulator {
  const world = createWorld(options);
  return {
    platform: 'telegram',
    routes: [...pageRoutes(world), ...fileRoutes(world), ...methodRoutes(world, METHODS)],
    refusal: (kind) => REFUSALS[kind],
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

const REFUSALS: Readonly<Record<PlatformRefusal, SimulatorResponse>> = {
  'rate-limited': refusal(429, 'Too Many Requests'),
  'rate-limited-with-wait': tooMany(7),
  'server-error': refusal(500, 'Internal Server Error: restart'),
  'token-expired': UNAUTHORIZED,
  'token-revoked': UNAUTHORIZED,
};
