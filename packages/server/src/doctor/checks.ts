/** The checks of the doctor, one function each, in the order of the report. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { renewedPairFiles } from '../accounts/tokens/renewed-tokens.ts';
import { countLostKeys } from '../accounts/tokens/token-secret.ts';
import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import type { Connector } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import { readMigrations } from '../db/migrate.ts';
import { createMailer } from '../mail/mailer.ts';
import { findTools } from '../media/tools.ts';
import { FINDING } from '../messages/doctor.ts';
import { createAddressGuard } from '../outbound/address-guard.ts';
import { createHttp } from '../outbound/http-client.ts';
import { evidenceFiles, evidenceFolder } from '../publishing/evidence.ts';
import { createSealer } from '../seal.ts';
import { createDiskStorage } from '../storage/disk.ts';
import { cutText } from '../text.ts';
import { readDurability } from './durability.ts';
import type { Finding } from './finding.ts';
import { platformFindings } from './platform-checks.ts';

export interface DoctorDeps {
  config: Config;
  secrets: Secrets;
  db: Database;
  /**
   * `server`: the operator's server. `running`: the service's embedded database. `started`: started by this command.
   */
  database: 'server' | 'running' | 'started';
  connectors: Readonly<Record<string, Connector>>;
}

export interface Check {
  name: string;
  look(deps: DoctorDeps): Promise<Finding[]>;
}

const ok = (text: string): Finding => ({ verdict: 'ok', text });
const fail = (text: string): Finding => ({ verdict: 'fail', text });
const hint = (text: string): Finding => ({ verdict: 'note', text });

const MAX_CLOCK_MS = 2_000;
const MIN_POSTGRES = 150_000;
/** Maximum age of the latest worker heartbeat, in seconds. Workers send one every 20 s. */
const MAX_HEARTBEAT_SECONDS = 150;
const MIN_FREE_BYTES = 2_000_000_000;
const ANSWER_WITHIN_MS = 5_000;

export const CHECKS: readonly Check[] = [
  { name: 'clock', look: clock },
  { name: 'database', look: database },
  { name: 'secret key', look: secretKey },
  { name: 'storage', look: storage },
  { name: 'ffmpeg', look: ffmpeg },
  { name: 'worker', look: worker },
  { name: 'public address', look: publicAddress },
  { name: 'sandbox', look: sandbox },
  { name: 'mail', look: mail },
  {
    name: 'platform',
    look: platforms,
  },
];

async function platforms({ config, db, secrets, connectors }: DoctorDeps): Promise<Finding[]> {
  const { request, close } = createHttp({ guard: createAddressGuard(config.allowedPrivateHosts, []) });
  try {
    return await platformFindings({ config, db, connectors, sealer: createSealer(secrets.sealing), http: request });
  } finally {
    close();
  }
}

async function clock({ db }: DoctorDeps): Promise<Finding[]> {
  const before = Date.now();
  const [row] = await db.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::double precision as ms',
  );
  const after = Date.now();
  const ms = row?.ms ?? Number.NaN;
  // The database read its clock at some time between the two.
  const off = ms < before ? before - ms : ms > after ? ms - after : 0;
  if (off <= MAX_CLOCK_MS) return [ok(FINDING.clockAgrees)];
  return [fail(FINDING.clockDiffers(Math.round(off / 1000)))];
}

async function database({ db, database: how }: DoctorDeps): Promise<Finding[]> {
  const [server] = await db.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::integer as number, split_part(current_setting('server_version'), ' ', 1) as version`,
  );
  const text = FINDING.database(server?.version, how);
  if ((server?.number ?? 0) < MIN_POSTGRES) return [fail(FINDING.databaseTooOld(text))];
  return [ok(text), ...(await readDurability(db)), await schema({ db })];
}

async function schema({ db }: Pick<DoctorDeps, 'db'>): Promise<Finding> {
  const [known] = await db.query<{ there: boolean }>(`select to_regclass('migration') is not null as there`);
  const [row] = known?.there ? await db.query<{ count: number }>('select count(*) as count from migration') : [];
  const done = row?.count ?? 0;
  const { length } = await readMigrations();
  if (done === length) return ok(FINDING.schemaCurrent(done));
  if (done > length) return fail(FINDING.schemaNewer);
  return fail(FINDING.schemaOlder(length - done));
}

/** Whether stored secrets can still be decrypted. */
async function secretKey({ config, db, secrets }: DoctorDeps): Promise<Finding[]> {
  const sealer = createSealer(secrets.sealing);
  const { accounts, lost } = await countLostKeys(db, sealer);
  const key = secrets.fingerprint;
  const opened = lost === 0 ? ok(FINDING.keyOpensAll(key, accounts)) : fail(FINDING.keyOpensSome(key, lost, accounts));
  const files = [evidenceFiles(evidenceFolder(config.dataDir), sealer), renewedPairFiles(config.dataDir, sealer)];
  const aside = (await Promise.all(files.map((each) => each.countAside()))).reduce((sum, each) => sum + each, 0);
  if (aside === 0) return [opened];
  return [opened, fail(FINDING.filesUnreadable(aside, config.dataDir))];
}

async function storage({ config }: DoctorDeps): Promise<Finding[]> {
  const store = await createDiskStorage(config.storageFolder);
  const key = `doctor/${randomBytes(8).toString('hex')}`;
  const bytes = randomBytes(4_096);
  try {
    await store.put(key, Readable.from([bytes]));
    const back = await buffer(await store.read(key));
    if (!back.equals(bytes)) return [fail(FINDING.storageCorrupts(config.storageFolder))];
  } finally {
    await store.remove(key);
  }
  const free = await store.free();
  if (free === null) return [ok(FINDING.storageWorks(config.storageFolder))];
  const size = `${(free / 1e9).toFixed(1)} GB`;
  if (free < MIN_FREE_BYTES) return [fail(FINDING.storageFull(size))];
  return [ok(FINDING.storageWorksWithSpace(config.storageFolder, size))];
}

async function ffmpeg({ config }: DoctorDeps): Promise<Finding[]> {
  const tools = await findTools(config);
  const encoders = tools.missing.filter((name) => ENCODERS.includes(name));
  const filters = tools.missing.filter((name) => !ENCODERS.includes(name));
  return [
    encoders.length === 0
      ? ok(FINDING.ffmpegWorks(tools.version, tools.ffmpeg))
      : fail(FINDING.ffmpegLacks(encoders.join(', '))),
    ...(filters.length === 0 ? [] : [hint(FINDING.ffmpegLacksFilters(filters.join(', ')))]),
    ...(tools.limiter.kind === 'none' ? [hint(FINDING.ffmpegUnlimited)] : []),
  ];
}

const ENCODERS: readonly string[] = ['libx264', 'aac', 'mjpeg'];

async function worker({ db }: DoctorDeps): Promise<Finding[]> {
  const [row] = await db.query<{ age: number | null }>(
    'select floor(extract(epoch from app_now() - max(heartbeat_at)))::integer as age from worker where stopped_at is null',
  );
  const age = row?.age ?? null;
  if (age === null) return [fail(FINDING.workerMissing)];
  if (age > MAX_HEARTBEAT_SECONDS) return [fail(FINDING.workerSilent(age))];
  return [ok(FINDING.workerAlive(age))];
}

async function publicAddress({ config }: DoctorDeps): Promise<Finding[]> {
  const response = await ask(`${config.publicUrl}/health/live`);
  if (response === 200) return [ok(FINDING.addressWorks(config.publicUrl))];
  return [fail(FINDING.addressFails(config.publicUrl, textOf(response)))];
}

async function sandbox({ config }: DoctorDeps): Promise<Finding[]> {
  if (!config.sandbox) return [hint(FINDING.sandboxOff)];
  const response = await ask(`${config.publicUrl}/sandbox/feed.json`);
  // A proxy may restrict the feed to the operator.
  if (typeof response === 'number' && [200, 401, 403].includes(response))
    return [ok(FINDING.sandboxOn(config.publicUrl))];
  return [fail(FINDING.sandboxFails(config.publicUrl, textOf(response)))];
}

/** Connects to the mail server and signs in. Sends nothing. */
async function mail({ config }: DoctorDeps): Promise<Finding[]> {
  if (!config.mail) return [hint(FINDING.mailOff)];
  const { host } = new URL(config.mail.smtpUrl);
  try {
    await createMailer(config.mail).verify();
    return [ok(FINDING.mailWorks(host))];
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return [fail(FINDING.mailFails(host, `${code ?? 'failed'}: ${cutText(message.split('\n', 1)[0] ?? '', 200)}`))];
  }
}

/** Returns the status of the response, or why no response came. */
async function ask(url: string): Promise<number | string> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const { cause } = error as { cause?: { code?: unknown } };
    return FINDING.noResponse(typeof cause?.code === 'string' ? cause.code : null);
  }
}

function textOf(response: number | string): string {
  return typeof response === 'number' ? FINDING.respondedWith(response) : response;
}
