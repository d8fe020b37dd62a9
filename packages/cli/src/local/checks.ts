/** The checks of `reelay doctor`, one function each, in the order of the report. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { renewedPairFiles } from '@reelay/server/accounts/tokens/renewed-tokens.ts';
import { countLostKeys } from '@reelay/server/accounts/tokens/token-secret.ts';
import { connectors } from '@reelay/server/connectors/registry.ts';
import { readMigrations } from '@reelay/server/db/migrate.ts';
import { findTools } from '@reelay/server/media/tools.ts';
import { createAddressGuard } from '@reelay/server/outbound/address-guard.ts';
import { createHttp } from '@reelay/server/outbound/http-client.ts';
import { evidenceFiles, evidenceFolder } from '@reelay/server/publishing/evidence.ts';
import { createSealer } from '@reelay/server/seal.ts';
import { createDiskStorage } from '@reelay/server/storage/disk.ts';
import { readDurability } from './durability.ts';
import type { Finding } from './finding.ts';
import type { Local } from './open.ts';
import { platformFindings } from './platform-checks.ts';

export interface Check {
  name: string;
  look(local: Local): Promise<Finding[]>;
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
  {
    name: 'platform',
    look: platforms,
  },
];

async function platforms({ config, db, secrets }: Local): Promise<Finding[]> {
  const { request, close } = createHttp({ guard: createAddressGuard(config.allowedPrivateHosts, []) });
  try {
    return await platformFindings({ config, db, connectors, sealer: createSealer(secrets.sealing), http: request });
  } finally {
    close();
  }
}

async function clock({ db }: Local): Promise<Finding[]> {
  const before = Date.now();
  const [row] = await db.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::double precision as ms',
  );
  const after = Date.now();
  const ms = row?.ms ?? Number.NaN;
  // The database read its clock at some time between the two.
  const off = ms < before ? before - ms : ms > after ? ms - after : 0;
  if (off <= MAX_CLOCK_MS) return [ok('agrees with the database')];
  return [fail(`${Math.round(off / 1000)} s away from the database's: set both by a time server.`)];
}

async function database({ db, database: how }: Local): Promise<Finding[]> {
  const [server] = await db.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::integer as number, split_part(current_setting('server_version'), ' ', 1) as version`,
  );
  const kind = { server: 'own server', running: 'embedded, of the running service', started: 'embedded' }[how];
  const text = `PostgreSQL ${server?.version}, ${kind}`;
  if ((server?.number ?? 0) < MIN_POSTGRES) return [fail(`${text}: version 15 or later is needed.`)];
  return [ok(text), ...(await readDurability(db)), await schema({ db })];
}

async function schema({ db }: Pick<Local, 'db'>): Promise<Finding> {
  const [known] = await db.query<{ there: boolean }>(`select to_regclass('migration') is not null as there`);
  const [row] = known?.there ? await db.query<{ count: number }>('select count(*) as count from migration') : [];
  const done = row?.count ?? 0;
  const { length } = await readMigrations();
  if (done === length) return ok(`schema up to date (${done} migrations)`);
  if (done > length) return fail('The schema is of a newer version: start that one.');
  return fail(`The schema lacks ${length - done} migrations: start the service, or run reelay migrate.`);
}

/** Whether stored secrets can still be decrypted. */
async function secretKey({ config, db, secrets }: Local): Promise<Finding[]> {
  const sealer = createSealer(secrets.sealing);
  const { accounts, lost } = await countLostKeys(db, sealer);
  const name = `key ${secrets.fingerprint}`;
  const opened =
    lost === 0
      ? ok(`${name} opens all ${accounts} accesses`)
      : fail(`${name} does not open ${lost} of ${accounts} accesses: bring the former SECRET_KEY back.`);
  const files = [evidenceFiles(evidenceFolder(config.dataDir), sealer), renewedPairFiles(config.dataDir, sealer)];
  const aside = (await Promise.all(files.map((each) => each.countAside()))).reduce((sum, each) => sum + each, 0);
  if (aside === 0) return [opened];
  return [opened, fail(`${aside} files in ${config.dataDir} are set aside as unreadable: the right key opens them.`)];
}

async function storage({ config }: Local): Promise<Finding[]> {
  const store = await createDiskStorage(config.storageFolder);
  const key = `doctor/${randomBytes(8).toString('hex')}`;
  const bytes = randomBytes(4_096);
  try {
    await store.put(key, Readable.from([bytes]));
    const back = await buffer(await store.read(key));
    if (!back.equals(bytes)) return [fail(`${config.storageFolder} gives back other bytes than it was given.`)];
  } finally {
    await store.remove(key);
  }
  const free = await store.free();
  const text = `written and read back in ${config.storageFolder}`;
  if (free === null) return [ok(text)];
  const room = `${(free / 1e9).toFixed(1)} GB free`;
  return [free < MIN_FREE_BYTES ? fail(`${room}: below 2 GB no video is taken.`) : ok(`${text}, ${room}`)];
}

async function ffmpeg({ config }: Local): Promise<Finding[]> {
  const tools = await findTools(config);
  const encoders = tools.missing.filter((name) => ENCODERS.includes(name));
  const filters = tools.missing.filter((name) => !ENCODERS.includes(name));
  return [
    encoders.length === 0 ? ok(`${tools.version} at ${tools.ffmpeg}`) : fail(`It lacks ${encoders.join(', ')}.`),
    ...(filters.length === 0 ? [] : [hint(`It lacks ${filters.join(', ')}: some thumbnails look pale.`)]),
    ...(tools.limiter.kind === 'none' ? [hint('Its memory cannot be limited on this system.')] : []),
  ];
}

const ENCODERS: readonly string[] = ['libx264', 'aac', 'mjpeg'];

async function worker({ db }: Local): Promise<Finding[]> {
  const [row] = await db.query<{ age: number | null }>(
    'select floor(extract(epoch from app_now() - max(heartbeat_at)))::integer as age from worker where stopped_at is null',
  );
  const age = row?.age ?? null;
  if (age === null) return [fail('None is running: nothing is published. Start the service.')];
  if (age > MAX_HEARTBEAT_SECONDS) return [fail(`The last sign of life is ${age} s old. Start the service.`)];
  return [ok(`gave a sign of life ${age} s ago`)];
}

async function publicAddress({ config }: Local): Promise<Finding[]> {
  const response = await ask(`${config.publicUrl}/health/live`);
  if (response === '200') return [ok(`${config.publicUrl} is this service`)];
  return [fail(`${config.publicUrl} ${response}. Is the service running, and PUBLIC_URL right?`)];
}

async function sandbox({ config }: Local): Promise<Finding[]> {
  if (!config.sandbox) return [hint('switched off (SANDBOX)')];
  const response = await ask(`${config.publicUrl}/sandbox/feed.json`);
  // A proxy may restrict the feed to the operator.
  if (['200', '401', '403'].includes(response)) return [ok(`on, at ${config.publicUrl}/sandbox`)];
  return [fail(`switched on, but ${config.publicUrl}/sandbox ${response}`)];
}

/** Returns the response status as text, or what went wrong. */
async function ask(url: string): Promise<string> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    await response.body?.cancel();
    return response.status === 200 ? '200' : `${response.status}`;
  } catch (error) {
    const { cause } = error as { cause?: { code?: unknown } };
    const why = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
    return `does not answer${why}`;
  }
}
