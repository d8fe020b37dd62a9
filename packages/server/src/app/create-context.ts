/** The composition root: creates every dependency of the service once. */
import type pg from 'pg';
import { assertOneSpelling } from '../accounts/apps/platform-setup.ts';
import { wireAccounts } from '../accounts/service.ts';
import { type WiredChannels, wireChannels } from '../channels/wiring.ts';
import { connectors } from '../connectors/registry.ts';
import type { Context } from '../context.ts';
import { createOwnerFinder } from '../keys/service.ts';
import { createSealer } from '../lib/encryption/seal.ts';
import { createKeyedSemaphore } from '../lib/semaphore.ts';
import { createLive } from '../live/live.ts';
import { createMailer, type Mailer } from '../mail/mailer.ts';
import { createMedia } from '../media/media.ts';
import type { MediaTools } from '../media/tools.ts';
import { createSpeech, type Languages } from '../messages/languages.ts';
import { wireNotifications } from '../notifications/wiring.ts';
import { postsLeft } from '../publishing/budgets.ts';
import { wirePublisher } from '../publishing/wiring.ts';
import { RULES_OF_ACCOUNTS } from '../reposts/rules-of-accounts.ts';
import { createDiskStorage } from '../storage/disk.ts';
import { createHashing } from '../storage/incoming/hasher.ts';
import { createDiskUploadFiles } from '../uploads/files.ts';
import { createDownloader } from '../uploads/remote/downloader.ts';
import { createFetcher, createFileFetcher } from '../uploads/remote/fetcher.ts';
import { createWriters } from '../uploads/writers.ts';
import type { PasswordHashing } from '../users/better-auth.ts';
import { createSignIn } from '../users/sign-in/sign-in-service.ts';
import { createUserMails } from '../users/user-mails.ts';
import { createHints, type Hints } from '../watching/push/early-checks.ts';
import { createFindShown } from '../watching/shown-on-destination.ts';
import { hurryWatches } from '../watching/watch-store.ts';
import { wireWatching } from '../watching/wiring.ts';
import { accountLoops, type LoopName, type Loops, workLoops } from './loops.ts';
import {
  appReader,
  limitSweeper,
  livePart,
  loopParts,
  type Part,
  publishingPart,
  secretKeyCheck,
  uploadPart,
} from './parts.ts';

/** Videos that one user's browsers read at a time. A browser opens six connections to one host. */
const VIDEO_STREAMS = 6;

/** Created before the context, because the server must respond during startup. */
export interface Foundation extends Pick<Context, 'config' | 'secrets' | 'db' | 'log' | 'metrics' | 'lifecycle'> {
  /** Connection settings, for users that need their own connections. */
  connection: pg.PoolConfig;
  tools: MediaTools;
  /** As in {@link createFetcher}. */
  videoHosts?: readonly string[] | undefined;
  /** Origin of the Bot API for notifications. */
  botApi?: string | undefined;
  /** As in {@link createSignIn}. */
  passwords?: PasswordHashing | undefined;
  /** Activity reports, so that memory is released in time. */
  memory: {
    /** Some work was done. */
    busy(): void;
    /** This many bytes passed through buffers. */
    used(bytes: number): void;
  };
}

/** Creates everything in dependency order. Parts are started in order and stopped in reverse. */
export async function createContext(foundation: Foundation): Promise<{ context: Context; parts: Part[] }> {
  const { connection, memory, tools, videoHosts, botApi, passwords, ...rest } = foundation;
  const { config, secrets } = foundation;
  const mailer = config.mail && createMailer(config.mail);
  const speech = createSpeech(connectors);
  const mails = createUserMails({ ...rest, mailer, onQueued: () => loops['security mails']?.wake() });
  const signIn = createSignIn({ ...rest, connection, passwords, mails });
  const storage = await createDiskStorage(config.storageFolder);
  const sealer = createSealer(secrets.sealing);
  const media = createMedia(tools);
  const sandbox = config.sandbox ? await openSandbox(foundation, { storage, signIn }) : null;
  const wired = wireAccounts({
    ...rest,
    connectors,
    storage,
    sealer,
    sandbox: sandbox?.access ?? null,
    rules: RULES_OF_ACCOUNTS,
    used: memory.used,
  });
  const { accounts, apps } = wired;
  assertOneSpelling(connectors, config.apps);
  await apps.refresh();
  const works = config.role !== 'api';
  const publishing = works
    ? wirePublisher({
        ...rest,
        sealer,
        storage,
        sessions: accounts.sessions,
        http: (inSandbox) => wired.outbound(inSandbox).http,
        platforms: Object.keys(connectors),
        linkKey: secrets.links,
        onPosted: () => loops.rules?.wake(),
      })
    : null;
  const wake = () => publishing?.publisher.wake();
  const hints = createHints({
    hurry: (identityIds) => hurryWatches(rest.db, identityIds),
    onHurried: () => loops.watches?.wake(),
    onError: (err) => rest.log.warn({ err }, 'An announcement was lost'),
  });
  const uploads = { hasher: createHashing(), used: memory.used };
  const wiredChannels = wireChannels({
    ...rest,
    connectors,
    sealer,
    languages: speech.languages,
    botApi,
    wake: () => loops['notification channels']?.wake(),
  });
  const made = {
    wiredChannels,
    storage,
    media,
    sealer,
    sandbox,
    uploads,
    wake,
    wired,
    hints,
    mailer,
    languages: speech.languages,
  };
  const loops = works ? createLoops(foundation, made, (name) => loops[name]?.wake()) : {};
  const context: Context = {
    ...rest,
    storage,
    sealer,
    signIn,
    ownerOfKey: createOwnerFinder(rest.db),
    sandbox,
    accounts,
    apps,
    connectors,
    channels: wiredChannels.channels,
    postsLeft: (connector, holder) => postsLeft(rest.db, connector, holder),
    ...speech,
    media,
    historyStreams: createKeyedSemaphore(),
    videoStreams: createKeyedSemaphore(VIDEO_STREAMS),
    live: createLive({ ...rest, connection }),
    uploads,
    fetchVideo: createFetcher({ config, storage, uploads, videoHosts }),
    uploadFiles: createDiskUploadFiles(config.storageFolder),
    uploadWriters: createWriters(),
    statuses: () =>
      Object.fromEntries(parts.flatMap(({ name, status }) => (status ? [[name, status()] as const] : []))),
    wake,
    announce: hints.add,
  };
  watchDatabase(context);
  const parts: Part[] = [
    { name: 'sign-in', stop: signIn.close },
    // Stopped after the parts that call it.
    ...(sandbox ? [{ name: 'sandbox', stop: sandbox.stop }] : []),
    limitSweeper(context),
    appReader(context),
    uploadPart(context),
    livePart(context),
    { name: 'announcements', stop: async () => hints.stop() },
    { name: 'renewed tokens', start: async () => void (await accounts.readLeftOver()) },
    secretKeyCheck(context),
    { name: 'platform calls', stop: async () => wired.close() },
    { name: 'calls to devices and chats', stop: async () => wiredChannels.close() },
    ...loopParts(loops),
    ...(publishing ? [publishingPart(publishing)] : []),
  ];
  return { context, parts };
}

/** Loads the simulated platforms, which other services never do. */
async function openSandbox(foundation: Foundation, { storage, signIn }: Pick<Context, 'storage' | 'signIn'>) {
  const { config, secrets, memory } = foundation;
  const sandbox = await import('../sandbox/open.ts');
  return sandbox.openSandbox({
    ...foundation,
    storage,
    signIn,
    publicUrl: config.publicUrl,
    listen: config.listen,
    storageFolder: config.storageFolder,
    leastFreeBytes: config.leastFreeBytes,
    linkKey: secrets.links,
    serves: config.role !== 'worker',
    used: memory.used,
  });
}

/** What the loops of a worker use besides the foundation. */
interface LoopDeps extends Pick<Context, 'storage' | 'media' | 'sealer' | 'sandbox' | 'uploads' | 'wake'> {
  wired: ReturnType<typeof wireAccounts>;
  wiredChannels: WiredChannels;
  hints: Hints;
  mailer: Mailer | null;
  languages: Languages;
}

/** Creates the loops of a worker. */
function createLoops(foundation: Foundation, deps: LoopDeps, wakeLoop: (name: LoopName) => void): Loops {
  const { config, secrets, tools, db, log } = foundation;
  const { storage, media, sealer, sandbox, uploads, wake, wired, wiredChannels, hints, mailer, languages } = deps;
  const { accounts } = wired;
  return {
    ...accountLoops(accounts),
    ...workLoops(foundation, {
      storage,
      media,
      wake,
      fetching: () => wakeLoop('source files'),
      findShown: createFindShown({
        db: db,
        sessions: accounts.sessions,
        onError: (err) => log.info({ err }, 'A destination could not be read before a repost'),
      }),
    }),
    ...wireNotifications({ ...foundation, connectors, languages, mailer }),
    'notification channels': wiredChannels.loop(),
    ...wireWatching({
      ...foundation,
      connectors,
      storage,
      media,
      sealer,
      accounts,
      hints,
      hookKey: secrets.hooks,
      outbound: (inSandbox) => ({ ...wired.outbound(inSandbox), headers: sandbox?.access.headers ?? {} }),
      fetchFile: createFileFetcher({ config, storage, uploads }),
      download: config.downloader && createDownloader(config.downloader, storage.scratch, tools.limiter),
      wake: wakeLoop,
    }),
  };
}

function watchDatabase({ db, live, metrics }: Context): void {
  metrics.gauge('database_connections', 'Open connections of the pool.', () => db.pool.totalCount);
  metrics.gauge('event_streams', 'Open event streams.', live.count);
  metrics.gauge('database_waiting', 'Statements that wait for a connection.', () => db.pool.waitingCount);
}
