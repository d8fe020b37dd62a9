/** Puts the parts of channels together, with their log events. */
import type { Config } from '../config/config.ts';
import type { Connector } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import type { Sealer } from '../lib/encryption/seal.ts';
import type { Log } from '../lib/log.ts';
import type { Languages } from '../messages/languages.ts';
import { createAddressGuard } from '../outbound/address-guard.ts';
import { createHttp } from '../outbound/http-client.ts';
import type { DueLoop } from '../queue/loop.ts';
import { createChannelLoop } from './channel-loop.ts';
import { type Channels, createChannels, createPresence } from './channel-service.ts';
import { createSender } from './sender.ts';

interface Deps {
  db: Database;
  config: Pick<Config, 'publicUrl' | 'allowedPrivateHosts'>;
  connectors: Readonly<Record<string, Connector>>;
  sealer: Sealer;
  languages: Languages;
  log: Log;
  /** Origin of the Bot API. Default: https://api.telegram.org */
  botApi?: string | undefined;
  /** Wakes the loop of this process, if it has one. */
  wake(): void;
}

export interface WiredChannels {
  channels: Channels;
  /** Creates the loop of a worker. */
  loop(): DueLoop;
  close(): void;
}

/** The addresses are secrets, so this client reports no calls, unlike that of the platforms. */
export function wireChannels(deps: Deps): WiredChannels {
  const { db, config, connectors, sealer, languages, log, botApi = 'https://api.telegram.org', wake } = deps;
  const { publicUrl } = config;
  const guard = createAddressGuard(config.allowedPrivateHosts, []);
  const http = createHttp({ guard, userAgent: `Reelay (${publicUrl})` });
  const sender = createSender({ db, sealer, http: http.request, publicUrl, botApi, now: Date.now });
  const monotonic = () => performance.now();
  const presence = createPresence(db, monotonic);
  const onAdded = () => {
    presence.added();
    wake();
  };
  return {
    channels: createChannels({ db, sealer, guard, sender, languages, publicUrl, botApi, onAdded }),
    loop: () =>
      createChannelLoop({
        db,
        connectors,
        languages,
        sender,
        presence,
        publicUrl,
        onSent: (channel, facts) => log.info({ event: 'notifications_sent', ...channel, facts }, 'Notifications sent'),
        onFailed: (channel, code, isStopped) =>
          log.warn(
            { event: 'notifications_not_sent', ...channel, code },
            isStopped ? 'A message was refused; the channel is stopped' : 'A message failed; retrying',
          ),
        onRemoved: (channel) =>
          log.info({ event: 'device_removed', ...channel }, 'A device is gone; its channel was removed'),
        onGivenUp: (channel, facts) =>
          log.warn({ event: 'notifications_expired', ...channel, facts }, 'Notifications were not sent within a day'),
        onError: (err) => log.warn({ err, loop: 'notification channels' }, 'Failed; retrying'),
        monotonic,
      }),
    close: http.close,
  };
}
