/** The standalone sandbox, run by `reelay sandbox serve`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import { startEmbeddedDatabase } from '../db/embedded-database.ts';
import { migrate, readMigrations } from '../db/migrate.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { sendPlainError } from '../http/error-responses.ts';
import { createListener, listen, withPort } from '../http/listener.ts';
import { uuidv7 } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { createDiskStorage } from '../storage/disk.ts';
import { createSignIn } from '../users/sign-in/sign-in-service.ts';
import { createUserMails } from '../users/user-mails.ts';
import { openSandbox } from './open.ts';

export interface StandaloneSandbox {
  /** URL of the feed. */
  url: string;
  stop(): Promise<void>;
}

const POOL_SIZE = 6;

/**
 * Serves the simulators and the feed on the service's own port, database and files, and nothing else.
 * @throws Error with one line when the port, the folder or the database is not available
 */
export async function serveSandbox(config: Config, secrets: Secrets, log: Log): Promise<StandaloneSandbox> {
  let route = (_request: IncomingMessage, response: ServerResponse) => refuse(response, 'starting');
  const server = createListener(config, (request, response) => route(request, response));
  const undo: (() => Promise<unknown> | unknown)[] = [() => server.closeAllConnections(), () => server.close()];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const publicUrl = withPort(config.publicUrl, await listen(server, config));
    const { db, connection, close } = await startEmbeddedDatabase(config, { log, size: POOL_SIZE });
    undo.push(close);
    await migrate(db, readMigrations());
    const mails = createUserMails({ config, log, mailer: null, onQueued() {} });
    const signIn = createSignIn({ config, secrets, db, connection, log, mails });
    undo.push(signIn.close);
    const storage = await createDiskStorage(config.storageFolder);
    const linkKey = secrets.links;
    const { listen: on, storageFolder, leastFreeBytes } = config;
    const { answer } = await openSandbox({
      ...{ db, storage, log, signIn, publicUrl, linkKey, storageFolder, leastFreeBytes },
      listen: on,
      serves: false,
    });
    route = (request, response) => {
      const path = request.url?.split('?', 1)[0] ?? '/';
      if (path === '/sandbox' || path.startsWith('/sandbox/')) return answer(request, response);
      if (path === '/health/live') return void response.writeHead(200, JSON_TYPE).end('{"success":true}');
      refuse(response, 'not_found');
    };
    return { url: `${publicUrl}/sandbox`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

function refuse(response: ServerResponse, code: 'starting' | 'not_found'): void {
  sendPlainError(response, new ReelayError(code), uuidv7());
}
