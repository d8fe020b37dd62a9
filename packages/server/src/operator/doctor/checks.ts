/** The checks of the doctor, one function each, in the order of the report. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { renewedPairFiles } from '../../accounts/tokens/renewed-tokens.ts';
import { countLostKeys } from '../../accounts/tokens/token-secret.ts';
import type { Config } from '../../config/config.ts';
import type { Secrets } from '../../config/secrets.ts';
import type { Connector } from '../../connectors/contract.ts';
import type { Database } from '../../db/database.ts';
import { readMigrations } from '../../db/migrate.ts';
import { createSealer } from '../../lib/encryption/seal.ts';
import { cutText } from '../../lib/text.ts';
import { createMailer } from '../../mail/mailer.ts';
import { findTools, NEEDED_ENCODERS } from '../../media/tools.ts';
import { find } from '../../messages/doctor.ts';
import type { Message } from '../../messages/message.ts';
import { createAddressGuard } from '../../outbound/address-guard.ts';
import { createHttp } from '../../outbound/http-client.ts';
import { evidenceFiles, evidenceFolder } from '../../publishing/evidence.ts';
import { createDiskStorage } from '../../storage/disk.ts';
import { readDurability } from './durability.ts';
import type { Finding } from './finding.ts';
import { platformFindings } from './platform-checks.ts';
import { comparePlatformClocks } from './platform-clock.ts';

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
  name: Message;
  look(deps: DoctorDeps): Promise<Finding[]>;
}

const ok = (message: Message): Finding => ({ verdict: 'ok', message });
const fail = (message: Message): Finding => ({ verdict: 'fail', message });
const hint = (message: Message): Finding => ({ verdict: 'note', message });

const MAX_CLOCK_MS = 2_000;
const MIN_POSTGRES = 150_000;
/** Maximum age of the latest worker heartbeat, in seconds. Workers send one every 20 s. */
const MAX_HEARTBEAT_SECONDS = 150;
const MIN_FREE_BYTES = 2_000_000_000;
const RESPONSE_WITHIN_MS = 5_000;

export const CHECKS: readonly Check[] = [
  { name: find('check_clock'), look: clock },
  { name: find('check_database'), look: database },
  { name: find('check_secret_key'), look: secretKey },
  { name: find('check_storage'), look: storage },
  { name: find('check_ffmpeg'), look: ffmpeg },
  { name: find('check_worker'), look: worker },
  { name: find('check_public_address'), look: publicAddress },
  { name: find('check_sandbox'), look: sandbox },
  { name: find('check_mail'), look: mail },
  {
    name: find('check_platform'),
    look: platforms,
  },
];

async function platforms({ config, db, secrets, connectors }: DoctorDeps): Promise<Finding[]> {
  const { request, close } = createHttp({ guard: createAddressGuard(config.allowedPrivateHosts, []) });
  try {
    const clocks = comparePlatformClocks(request);
    const sealer = createSealer(secrets.sealing);
    const found = await platformFindings({ config, db, connectors, sealer, http: clocks.http });
    return [...found, ...clocks.findings()];
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
  if (off <= MAX_CLOCK_MS) return [ok(find('clock_agrees'))];
  return [fail(find('clock_differs', { seconds: Math.round(off / 1000) }))];
}

async function database({ db, database: how }: DoctorDeps): Promise<Finding[]> {
  const [server] = await db.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::integer as number, split_part(current_setting('server_version'), ' ', 1) as version`,
  );
  const kind = find(`database_${how}`);
  const text = find('database', { version: server?.version ?? '', kind });
  if ((server?.number ?? 0) < MIN_POSTGRES) return [fail(find('database_too_old', { database: text }))];
  return [ok(text), ...(await readDurability(db)), await schema({ db })];
}

async function schema({ db }: Pick<DoctorDeps, 'db'>): Promise<Finding> {
  const [known] = await db.query<{ there: boolean }>(`select to_regclass('migration') is not null as there`);
  const [row] = known?.there ? await db.query<{ count: number }>('select count(*) as count from migration') : [];
  const done = row?.count ?? 0;
  const { length } = readMigrations();
  if (done === length) return ok(find('schema_current', { count: done }));
  if (done > length) return fail(find('schema_newer'));
  return fail(find('schema_older', { missing: length - done }));
}

/** Whether stored secrets can still be decrypted. */
async function secretKey({ config, db, secrets }: DoctorDeps): Promise<Finding[]> {
  const sealer = createSealer(secrets.sealing);
  const { accounts, lost } = await countLostKeys(db, sealer);
  const key = secrets.fingerprint;
  const opened =
    lost === 0 ? ok(find('key_opens_all', { key, accounts })) : fail(find('key_opens_some', { key, lost, accounts }));
  const files = [evidenceFiles(evidenceFolder(config.dataDir), sealer), renewedPairFiles(config.dataDir, sealer)];
  const aside = (await Promise.all(files.map((each) => each.countAside()))).reduce((sum, each) => sum + each, 0);
  if (aside === 0) return [opened];
  return [opened, fail(find('files_unreadable', { count: aside, folder: config.dataDir }))];
}

async function storage({ config }: DoctorDeps): Promise<Finding[]> {
  const store = await createDiskStorage(config.storageFolder);
  const key = `doctor/${randomBytes(8).toString('hex')}`;
  const bytes = randomBytes(4_096);
  try {
    await store.put(key, Readable.from([bytes]));
    const back = await buffer(await store.read(key));
    if (!back.equals(bytes)) return [fail(find('storage_corrupts', { folder: config.storageFolder }))];
  } finally {
    await store.remove(key);
  }
  const free = await store.free();
  if (free === null) return [ok(find('storage_works', { folder: config.storageFolder }))];
  if (free < MIN_FREE_BYTES) return [fail(find('storage_full', { freeBytes: free }))];
  return [ok(find('storage_works_with_space', { folder: config.storageFolder, freeBytes: free }))];
}

async function ffmpeg({ config }: DoctorDeps): Promise<Finding[]> {
  const tools = await findTools(config);
  const encoders = tools.missing.filter((name) => NEEDED_ENCODERS.includes(name));
  const filters = tools.missing.filter((name) => !NEEDED_ENCODERS.includes(name));
  return [
    encoders.length === 0
      ? ok(find('ffmpeg_works', { version: tools.version, path: tools.ffmpeg }))
      : fail(find('ffmpeg_lacks', { names: encoders.join(', ') })),
    ...(filters.length === 0 ? [] : [hint(find('ffmpeg_lacks_filters', { names: filters.join(', ') }))]),
    ...(tools.limiter.kind === 'none' ? [hint(find('ffmpeg_unlimited'))] : []),
  ];
}

async function worker({ db }: DoctorDeps): Promise<Finding[]> {
  const [row] = await db.query<{ age: number | null }>(
    'select floor(extract(epoch from app_now() - max(heartbeat_at)))::integer as age from worker where stopped_at is null',
  );
  const age = row?.age ?? null;
  if (age === null) return [fail(find('worker_missing'))];
  if (age > MAX_HEARTBEAT_SECONDS) return [fail(find('worker_silent', { seconds: age }))];
  return [ok(find('worker_alive', { seconds: age }))];
}

async function publicAddress({ config }: DoctorDeps): Promise<Finding[]> {
  const response = await ask(`${config.publicUrl}/health/live`);
  if (response === 200) return [ok(find('address_works', { url: config.publicUrl }))];
  return [fail(find('address_fails', { url: config.publicUrl, response: said(response) }))];
}

async function sandbox({ config }: DoctorDeps): Promise<Finding[]> {
  if (!config.sandbox) return [hint(find('sandbox_off'))];
  const response = await ask(`${config.publicUrl}/sandbox/feed.json`);
  // A proxy may restrict the feed to the operator.
  if (typeof response === 'number' && [200, 401, 403].includes(response))
    return [ok(find('sandbox_on', { url: config.publicUrl }))];
  return [fail(find('sandbox_fails', { url: config.publicUrl, response: said(response) }))];
}

/** Connects to the mail server and signs in. Sends nothing. */
async function mail({ config }: DoctorDeps): Promise<Finding[]> {
  if (!config.mail) return [hint(find('mail_off'))];
  const { host } = new URL(config.mail.smtpUrl);
  try {
    await createMailer(config.mail).verify();
    return [ok(find('mail_works', { host }))];
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const problem = `${code ?? 'failed'}: ${cutText(message.split('\n', 1)[0] ?? '', 200)}`;
    return [fail(find('mail_fails', { host, problem }))];
  }
}

/** Returns the status of the response, or why no response arrived. */
async function ask(url: string): Promise<number | Message> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(RESPONSE_WITHIN_MS) });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const { cause } = error as { cause?: { code?: unknown } };
    return typeof cause?.code === 'string' ? find('no_response_because', { code: cause.code }) : find('no_response');
  }
}

function said(response: number | Message): Message {
  return typeof response === 'number' ? find('responded_with', { status: String(response) }) : response;
}
