/** What a stream is for: its address, the accounts that it announces, and how they are selected. */
import type {
  AccountStream,
  Connector,
  Session,
  SharedStream,
  StreamAddress,
  StreamMessage,
} from '../../connectors/contract.ts';
import type { Database } from '../../db/database.ts';
import { HOUR, MINUTE, SECOND } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import type { HttpClient, HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import { databaseNow } from '../../posts/post-store.ts';
import { READING_SHARE } from '../../publishing/budgets.ts';
import type { SessionSource } from '../../publishing/sessions.ts';
import { openReader } from '../open-reader.ts';
import { findReaders } from '../reader-store.ts';
import { type ChargedReads, createChargedReads, FREE } from './charged-reads.ts';
import { type StreamRow, sharedAccounts } from './stream-store.ts';

export interface OpenDeps {
  db: Database;
  connectors: Readonly<Record<string, Connector>>;
  sessions: SessionSource;
  /** Base URLs of a platform, or of its simulator. */
  endpoints(platform: string, sandbox: boolean): Promise<Session['endpoints']>;
  /** The operator's settings for a platform. */
  settings(platform: string, sandbox: boolean): Session['settings'];
  http(sandbox: boolean): HttpClient;
  onError(error: unknown): void;
  /** ms of a monotonic clock. */
  monotonic(): number;
}

export interface OpenedStream {
  address: StreamAddress;
  identities(): readonly string[];
  /** Identities whose posts a message announces. */
  announced(message: StreamMessage): readonly string[];
  /** Time after which lists show an announced post, in ms. */
  lagMs: number;
  /**
   * Selects the accounts, again if they changed. @param send sends a message over a WebSocket
   * @returns why some are not selected, or null. @throws PlatformError if the stream is useless without
   */
  select(send: (text: string) => void): Promise<Message | null>;
  /** Reads a response that is no stream. Absent: its status decides. */
  refusal?: (response: HttpResponse) => PlatformError;
  reads: ChargedReads;
  chargedReads(message: StreamMessage): number;
  /** Called after the end. */
  close(): Promise<void>;
}

/** Messages older than this are not requested again, in ms: the accounts were checked since. */
const MAX_REPLAY_MS = HOUR;
/** Overlap of what is requested again, in ms. */
const OVERLAP_MS = 5 * SECOND;
/** Accounts that could not be selected are tried again after this time, in ms. */
const RESELECT_MS = 15 * MINUTE;

export interface OpenControl {
  /** Ends requests that select accounts. */
  signal: AbortSignal;
  /** Called when the stream must end. */
  fail(error: unknown): void;
}

/** @returns null if there is no stream. @throws PlatformError, BudgetEmpty */
export async function openStream(deps: OpenDeps, row: StreamRow, control: OpenControl): Promise<OpenedStream | null> {
  const stream = deps.connectors[row.platform]?.watch?.stream;
  if (stream?.kind === 'account') return openAccountStream(deps, row, stream);
  return stream ? openSharedStream(deps, row, stream, control) : null;
}

async function openAccountStream(deps: OpenDeps, row: StreamRow, stream: AccountStream): Promise<OpenedStream | null> {
  const [reader] = await findReaders(deps.db, row.watch_id ?? '');
  if (!reader) return null;
  const { session } = await openReader(
    deps,
    { ...reader, platform: row.platform },
    { share: READING_SHARE, isAsked: false },
  );
  const address = await stream.open(session);
  if (!address) return null;
  const { remoteId } = session;
  const identities = [reader.identityId];
  return {
    address,
    identities: () => identities,
    announced: (message) => (stream.announces(message, { remoteId }) ? identities : []),
    lagMs: 0,
    select: async () => null,
    reads: FREE,
    chargedReads: () => 0,
    close: async () => {},
  };
}

async function openSharedStream(
  deps: OpenDeps,
  row: StreamRow,
  stream: SharedStream,
  { signal, fail }: OpenControl,
): Promise<OpenedStream | null> {
  const { db, monotonic } = deps;
  const { refusal } = stream;
  const { platform, sandbox, read_until: readUntil } = row;
  const settings = deps.settings(platform, sandbox);
  const context = { endpoints: await deps.endpoints(platform, sandbox), settings, sandbox };
  const [openedAt, startedAt] = [await databaseNow(db), monotonic()];
  const now = () => Math.round(openedAt + monotonic() - startedAt);
  const isRecent = readUntil !== null && openedAt - readUntil.getTime() < MAX_REPLAY_MS;
  const address = stream.open(context, isRecent ? readUntil.getTime() - OVERLAP_MS : null);
  if (!address) return null;
  const { charge } = deps.connectors[platform]?.watch ?? {};
  const reads =
    charge && stream.chargedReads && !sandbox
      ? createChargedReads({ db, platform, charge, settings, onUsedUp: fail, onError: deps.onError })
      : FREE;
  await reads.check();
  const http = deps.http(sandbox);
  /** Number of accounts that the platform announces, as far as known. */
  let subscribed: number | null = null;
  const subscribe = async (remoteIds: readonly string[], client = http) => {
    const refused = await stream.subscribe?.({ ...context, http: client, now }, remoteIds);
    subscribed = remoteIds.length;
    return refused ?? null;
  };
  let accounts = await sharedAccounts(db, row, stream.maxAccounts);
  let isNew = true;
  let problem: Message | null = null;
  let retryAt = 0;
  return {
    address,
    identities: () => [...accounts.values()],
    announced(message) {
      const identityId = accounts.get(stream.announces(message) ?? '');
      return identityId === undefined ? [] : [identityId];
    },
    lagMs: stream.lagMs ?? 0,
    async select(send) {
      if (!isNew) {
        const current = await sharedAccounts(db, row, stream.maxAccounts);
        isNew = current.size !== accounts.size || ![...current.keys()].every((remoteId) => accounts.has(remoteId));
        accounts = current;
      }
      if (!isNew && (problem === null || monotonic() < retryAt)) return problem;
      isNew = false;
      const remoteIds = [...accounts.keys()];
      if (stream.select) send(stream.select(remoteIds));
      problem = await subscribe(remoteIds, (request) => http({ ...request, signal }));
      retryAt = monotonic() + RESELECT_MS;
      return problem;
    },
    ...(refusal && { refusal: (response) => new PlatformError(refusal(response, now())) }),
    reads,
    chargedReads: (message) => stream.chargedReads?.(message) ?? 0,
    async close() {
      if (stream.subscribe && subscribed !== 0 && (await sharedAccounts(db, row, 1)).size === 0) await subscribe([]);
    },
  };
}
