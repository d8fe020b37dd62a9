/** The composition root: creates every dependency of the service once. */
import type pg from 'pg';
import type { Apps } from './accounts/apps/app-store.ts';
import { assertOneSpelling } from './accounts/apps/platform-setup.ts';
import { type Accounts, wireAccounts } from './accounts/service.ts';
import { countLostKeys } from './accounts/tokens/token-secret.ts';
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import type { Connector } from './connectors/contract.ts';
import { connectors } from './connectors/registry.ts';
import type { Database } from './db/database.ts';
import { ReelayError } from './errors/reelay-error.ts';
import type { Lifecycle } from './http/lifecycle.ts';
import { sweep } from './http/limits.ts';
import { createOwnerFinder } from './keys/service.ts';
import { createSealer, type Sealer } from './lib/encryption/seal.ts';
import type { Log } from './lib/log.ts';
import type { Metrics } from './lib/metrics.ts';
import { HOUR, MINUTE } from './lib/time.ts';
import { createLive, type Live } from './live/live.ts';
import { createMailer } from './mail/mailer.ts';
import { createFileLoop } from './maintenance/files.ts';
import { createSweepLoop } from './maintenance/sweeps.ts';
import { createMedia, type Media } from './media/media.ts';
import { createRenditionLoop } from './media/rendition/rendition-loop.ts';
import { createKeyedSemaphore, type KeyedSemaphore } from './media/semaphore.ts';
import type { MediaTools } from './media/tools.ts';
import { createSpeech, type Speech } from './messages/languages.ts';
import { wireNotifications } from './notifications/wiring.ts';
import type { PostDeps } from './posts/types.ts';
import { type BudgetHolder, type PostsLeft, postsLeft } from './publishing/budgets.ts';
import { type WiredPublisher, wirePublisher } from './publishing/wiring.ts';
import type { DueLoop } from './queue/loop.ts';
import type { PartStatus } from './queue/status.ts';
import { createFiringLoop } from './reposts/firing.ts';
import type { Sandbox } from './sandbox/open.ts';
import type { Storage } from './storage/contract.ts';
import { createDiskStorage } from './storage/disk.ts';
import { createHashing, type MakeHasher } from './storage/incoming/hasher.ts';
import { createDiskUploadFiles, type UploadFiles } from './uploads/files.ts';
import { createDownloader } from './uploads/remote/downloader.ts';
import { createFetcher, createFileFetcher } from './uploads/remote/fetcher.ts';
import { sweepUploadFiles } from './uploads/remove.ts';
import { createWriters, type Writers } from './uploads/writers.ts';
import type { PasswordHashing } from './users/better-auth.ts';
import { createSignIn, type SignIn } from './users/sign-in/sign-in-service.ts';
import { createUserMails } from './users/user-mails.ts';
import { createHints } from './watching/push/hints.ts';
import { createFindShown, type FindShown } from './watching/shown.ts';
import { hurryWatches } from './watching/watch-store.ts';
import { wireWatching } from './watching/wiring.ts';

export interface Context extends Speech {
  config: Config;
  secrets: Secrets;
  db: Database;
  log: Log;
  metrics: Metrics;
  lifecycle: Lifecycle;
  storage: Storage;
  sealer: Sealer;
  signIn: SignIn;
  /** As in {@link createOwnerFinder}. */
  ownerOfKey: ReturnType<typeof createOwnerFinder>;
  /** The simulated platforms; null when disabled. */
  sandbox: Sandbox | null;
  accounts: Accounts;
  /** The operator's applications at platforms. */
  apps: Apps;
  connectors: Readonly<Record<string, Connector>>;
  /** As in {@link postsLeft}. */
  postsLeft(connector: Connector, holder: BudgetHolder): Promise<PostsLeft | null>;
  media: Media;
  /** Downloads of the history: one at a time for each user. */
  historyStreams: KeyedSemaphore;
  /** Shared by all uploads. */
  uploads: { hasher: MakeHasher; used(bytes: number): void };
  /** Event streams of signed-in users. */
  live: Live;
  /** Resumable uploads until they are finished and posted. */
  uploadFiles: UploadFiles;
  /** Requests of this process that write to resumable uploads. */
  uploadWriters: Writers;
  /** Fetches a video from a URL, as posts need it. */
  fetchVideo: PostDeps['fetchVideo'];
  /** Health of this process's parts, by name. */
  statuses(): Record<string, PartStatus>;
  /** Wakes this process's workers because something is due. Other processes notice within a second. */
  wake(): void;
  /** Checks identities soon, because their platform announced something. */
  announce(identityIds: readonly string[]): void;
}

/** Created before the context, because the server must respond during startup. */
export interface Foundation extends Pick<Context, 'config' | 'secrets' | 'db' | 'log' | 'metrics' | 'lifecycle'> {
  /** Connection settings, for users that need their own connections. */
  connection: pg.PoolConfig;
  tools: MediaTools;
  /** As in {@link createFetcher}. */
  videoHosts?: readonly string[] | undefined;
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

/** A background part of the service, such as a loop or a pool. */
export interface Part {
  name: string;
  /** Whether the part works; used by the readiness check. */
  status?(): PartStatus;
  start?(): Promise<void> | void;
  /** Stops new work. Work in progress ends, or is left so that it can be resumed. Takes at most 25 s. */
  drain?(): Promise<void>;
  /** Releases all resources. Called after `drain`, or alone. */
  stop?(): Promise<void>;
}

/** Creates everything in dependency order. Parts are started in order and stopped in reverse. */
export async function createContext(foundation: Foundation): Promise<{ context: Context; parts: Part[] }> {
  const { connection, memory, tools, videoHosts, passwords, ...rest } = foundation;
  const { config, secrets } = foundation;
  const mailer = config.mail && createMailer(config.mail);
  const speech = createSpeech(connectors);
  const mails = createUserMails({ ...rest, mailer, onQueued: () => loops['security mails']?.wake() });
  const signIn = createSignIn({ ...rest, connection, passwords, mails });
  const storage = await createDiskStorage(config.storageFolder);
  const sealer = createSealer(secrets.sealing);
  const media = createMedia(tools);
  const serves = config.role !== 'worker';
  const sandbox = config.sandbox
    ? await (await import('./sandbox/open.ts')).openSandbox({
        ...rest,
        storage,
        signIn,
        publicUrl: config.publicUrl,
        listen: config.listen,
        storageFolder: config.storageFolder,
        leastFreeBytes: config.leastFreeBytes,
        linkKey: secrets.links,
        serves,
        used: memory.used,
      })
    : null;
  const wired = wireAccounts({
    ...rest,
    connectors,
    storage,
    sealer,
    sandbox: sandbox?.access ?? null,
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
  const loops: Record<string, DueLoop> = works
    ? {
        ...accountLoops(accounts),
        ...workLoops(foundation, {
          storage,
          media,
          wake,
          fetching: () => loops['source files']?.wake(),
          findShown: createFindShown({
            db: rest.db,
            sessions: accounts.sessions,
            onError: (err) => rest.log.info({ err }, 'A destination could not be read before a repost'),
          }),
        }),
        ...wireNotifications({ ...rest, connectors, languages: speech.languages, mailer }),
        ...wireWatching({
          ...rest,
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
          wake: (name) => loops[name]?.wake(),
        }),
      }
    : {};
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
    postsLeft: (connector, holder) => postsLeft(rest.db, connector, holder),
    ...speech,
    media,
    historyStreams: createKeyedSemaphore(),
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
    ...Object.entries(loops).map(([name, loop], index) => loopPart(name, loop, index * APART_MS)),
    ...(publishing ? [publishingPart(publishing)] : []),
  ];
  return { context, parts };
}

function publishingPart({ publisher, status, drain, stop }: WiredPublisher): Part {
  return { name: 'publishing', start: publisher.start, status, drain, stop: async () => stop() };
}

/** Loops that refresh tokens and account facts. */
function accountLoops({ loops }: Accounts): Record<string, DueLoop> {
  return { 'account grants': loops.grants, 'account facts': loops.facts };
}

/** Loops that fire rules, make renditions and clean up. */
function workLoops(
  { db, config, log }: Foundation,
  {
    storage,
    media,
    wake,
    fetching,
    findShown,
  }: Pick<Context, 'storage' | 'media' | 'wake'> & {
    fetching(): void;
    findShown: FindShown;
  },
): Record<string, DueLoop> {
  const onError = (name: string) => (err: unknown) => log.warn({ err, loop: name }, 'Failed; retrying');
  const upkeep = { db, storage, retentionDays: config.mediaRetentionDays };
  return {
    rules: createFiringLoop({
      db,
      config,
      connectors,
      downloads: config.downloader !== null,
      findShown,
      wake,
      onFile: fetching,
      onFired: ({ rule_id: ruleId, target_id: targetId, watched_post_id: watchedPostId }, { kind: came }) =>
        log.info({ event: 'rule_fired', ruleId, targetId, watchedPostId, came }, 'Rule fired'),
      onError: onError('rules'),
    }),
    renditions: createRenditionLoop({
      db,
      storage,
      media,
      leastFreeBytes: config.leastFreeBytes,
      onMade: ({ id, spec }, { bytes, tookMs }) =>
        log.info({ event: 'rendition_made', id, spec, bytes, tookMs: Math.round(tookMs) }, 'Video converted'),
      onFailed: ({ id, spec }, detail) =>
        log.warn({ event: 'rendition_failed', id, spec, detail }, 'Video could not be converted'),
      onError: onError('renditions'),
    }),
    files: createFileLoop({ ...upkeep, onError: onError('files') }),
    sweeps: createSweepLoop({
      ...upkeep,
      onError: onError('sweeps'),
      onSwept: (name, count) => log.info({ event: 'swept', name, count }, 'Swept'),
    }),
  };
}

/** Loops poll at different moments, so that a resting service needs few database connections. */
const APART_MS = 70;

function loopPart(name: string, loop: DueLoop, afterMs: number): Part {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(timer);
    return loop.stop();
  };
  return {
    name,
    status: loop.status,
    start() {
      timer = setTimeout(() => loop.start(), afterMs);
    },
    drain: stop,
    // Work still running after draining is left to its lease.
    stop: async () => void stop(),
  };
}

function watchDatabase({ db, live, metrics }: Context): void {
  metrics.gauge('database_connections', 'Open connections of the pool.', () => db.pool.totalCount);
  metrics.gauge('event_streams', 'Open event streams.', live.count);
  metrics.gauge('database_waiting', 'Statements that wait for a connection.', () => db.pool.waitingCount);
}

/** Logs once after startup how many accounts a lost SECRET_KEY affects. */
function secretKeyCheck({ db, sealer, log }: Context): Part {
  const check = async () => {
    const { accounts, lost } = await countLostKeys(db, sealer);
    if (lost > 0)
      log.error(
        { event: 'secret_key_lost', accounts: lost },
        `SECRET_KEY cannot decrypt the access of ${lost} of ${accounts} connected accounts. Set the previous key as SECRET_KEY_PREVIOUS, or reconnect these accounts.`,
      );
  };
  return {
    name: 'secret key',
    start: () => void check().catch((err) => log.warn({ err }, 'The encrypted values could not be checked')),
  };
}

const SWEEP_EVERY_MS = 10 * MINUTE;
const READ_APPS_EVERY_MS = 15_000;
const SWEEP_UPLOADS_EVERY_MS = HOUR;

/** Deletes rate-limit rows that have expired. */
function limitSweeper({ db, log }: Context): Part {
  return runPeriodically('limits', SWEEP_EVERY_MS, () =>
    sweep(db).catch((err) => log.warn({ err }, 'old limits could not be swept')),
  );
}

/** Reads applications that another node or a command has stored. */
function appReader({ apps, log }: Context): Part {
  return runPeriodically('applications', READ_APPS_EVERY_MS, () =>
    apps.refresh().catch((err) => log.warn({ err }, 'applications at platforms could not be read')),
  );
}

/** Clients reconnect to another process, or after the restart. */
function livePart({ live }: Context): Part {
  return { name: 'live updates', drain: async () => live.drain(), stop: live.close };
}

/** Clients still uploading at shutdown are asked to retry; received data is kept. */
function uploadPart(context: Context): Part {
  const sweep = () =>
    sweepUploadFiles(context).catch((err) => context.log.warn({ err }, 'files of uploads could not be swept'));
  return {
    ...runPeriodically('uploads', SWEEP_UPLOADS_EVERY_MS, sweep),
    drain: async () => context.uploadWriters.stopAll(new ReelayError('draining')),
  };
}

function runPeriodically(name: string, ms: number, work: () => unknown): Part {
  let timer: NodeJS.Timeout | undefined;
  return {
    name,
    start() {
      timer = setInterval(work, ms).unref();
    },
    async stop() {
      clearInterval(timer);
    },
  };
}
