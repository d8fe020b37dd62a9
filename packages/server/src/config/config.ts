import { isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutFinalSlashes } from '../lib/text.ts';
import { type DownloaderCommand, parseDownloader } from './downloader.ts';
import type { Environment } from './env.ts';
import { loadPlans, type Plans } from './plans.ts';
import type { PlatformSettings } from './settings.ts';

export type RateForm = 'per-minute' | 'per-plan-hourly' | 'off';

export interface MailConfig {
  /** May contain a password. */
  smtpUrl: string;
  /** The sender. */
  from: string;
  /** Whether the connection must be encrypted. */
  requireTls: boolean;
}

/** The complete non-secret configuration, derived once from the environment. */
export interface Config {
  role: 'all' | 'api' | 'worker';
  /** `host`: without brackets; `localhost` is 127.0.0.1 and, where it exists, ::1. */
  listen: { host: string; port: number; tls: { certFile: string; keyFile: string } | null };
  /** Without a trailing slash. */
  publicUrl: string;
  /** Addresses of trusted proxies, in the format of the HTTP server. */
  trustProxy: string[];
  httpsOnly: boolean;
  dataDir: string;
  /** null: the embedded server in `dataDir`. */
  databaseUrl: string | null;
  /** Folder of the stored files. */
  storageFolder: string;
  sandbox: boolean;
  plans: Plans;
  defaultPlan: string;
  rateLimit: RateForm;
  signup: 'open' | 'first-user' | 'closed';
  mediaRetentionDays: number;
  /** Minimum free space in bytes; below it no video is accepted. */
  leastFreeBytes: number;
  ffmpegPath: string | null;
  ffprobePath: string | null;
  /** Fetches videos of posts whose platform gives no files; null: such posts are not reposted. */
  downloader: DownloaderCommand | null;
  allowedPrivateHosts: string[];
  metricsToken: string | null;
  /** null: the service sends no mail. */
  mail: MailConfig | null;
  /** Where users reach the operator: an email address or an https URL; null if it is not given. */
  operatorContact: string | null;
  /** Settings of single platforms. */
  settings: PlatformSettings;
  apps: Environment['apps'];
  logLevel: string;
  prettyLogs: boolean;
}

/** @throws Error with a sentence that names the conflicting variables */
export function makeConfig(env: Environment): Config {
  const port = env.PORT ?? 3000;
  const host = (env.HOST ?? 'localhost').replace(/^\[(.+)\]$/, '$1');
  const publicUrl = withoutFinalSlashes(env.PUBLIC_URL ?? `http://${hostToVisit(host)}:${port}`);
  const { protocol } = new URL(publicUrl);
  const dataDir = resolve(env.DATA_DIR ?? './data');
  const listen = {
    host,
    port,
    tls: env.TLS_CERT_FILE && env.TLS_KEY_FILE ? { certFile: env.TLS_CERT_FILE, keyFile: env.TLS_KEY_FILE } : null,
  };
  const role = env.ROLE ?? 'all';
  if (protocol === 'http:' && isPublic({ publicUrl, listen }) && env.ALLOW_HTTP !== 'on')
    throw new Error(plainHttpRefusal(env, listen.host));
  if ((env.TLS_CERT_FILE === undefined) !== (env.TLS_KEY_FILE === undefined))
    throw new Error('TLS_CERT_FILE and TLS_KEY_FILE belong together: set both or none.');
  if (role !== 'all' && !(env.DATABASE_URL && env.STORAGE_URL))
    throw new Error(`ROLE=${role} needs DATABASE_URL and STORAGE_URL, which all processes share.`);
  if (env.SECRET_KEY && env.SECRET_KEY_FILE) throw new Error('Set SECRET_KEY or SECRET_KEY_FILE, not both.');
  return {
    role,
    listen,
    publicUrl,
    trustProxy: (env.TRUST_PROXY ?? 'loopback').split(',').map((part) => part.trim()),
    httpsOnly: protocol === 'https:',
    dataDir,
    databaseUrl: env.DATABASE_URL ?? null,
    storageFolder: env.STORAGE_URL ? fileURLToPath(env.STORAGE_URL) : resolve(dataDir, 'files'),
    sandbox: (env.SANDBOX ?? (isPublic({ publicUrl, listen }) ? 'off' : 'on')) === 'on',
    plans: loadPlans(env.PLANS_FILE),
    defaultPlan: env.DEFAULT_PLAN ?? 'PRO',
    rateLimit: env.RATE_LIMIT ?? 'per-minute',
    signup: env.SIGNUP ?? 'first-user',
    mediaRetentionDays: env.MEDIA_RETENTION_DAYS ?? 30,
    leastFreeBytes: 2_000_000_000,
    ffmpegPath: env.FFMPEG_PATH ?? null,
    ffprobePath: env.FFPROBE_PATH ?? null,
    downloader: env.MEDIA_DOWNLOADER ? parseDownloader(env.MEDIA_DOWNLOADER) : null,
    allowedPrivateHosts: hostsIn(env.ALLOWED_PRIVATE_HOSTS ?? ''),
    metricsToken: env.METRICS_TOKEN ?? null,
    mail: mailIn(env),
    operatorContact: env.OPERATOR_CONTACT ?? null,
    settings: env.settings,
    apps: env.apps,
    logLevel: env.LOG_LEVEL ?? 'info',
    prettyLogs: env.terminal,
  };
}

/** @throws Error naming the missing variable */
function mailIn({ SMTP_URL: smtpUrl, MAIL_FROM: from }: Environment): MailConfig | null {
  if (smtpUrl === undefined && from === undefined) return null;
  if (smtpUrl === undefined || from === undefined)
    throw new Error('SMTP_URL and MAIL_FROM belong together: set both or none.');
  return { smtpUrl, from, requireTls: !isLoopback(new URL(smtpUrl).hostname) };
}

/** The host of a URL that a service with this listening address answers. */
function hostToVisit(host: string): string {
  // Passkeys need a name. An address with a zone is not valid in a URL.
  if (['127.0.0.1', '0.0.0.0', '::'].includes(host) || host.includes('%')) return 'localhost';
  return isIPv6(host) ? `[${host}]` : host;
}

function plainHttpRefusal({ PUBLIC_URL: publicUrl }: Environment, host: string): string {
  const advice = 'In a home network without TLS set ALLOW_HTTP=on.';
  if (publicUrl && !isLoopback(new URL(publicUrl).hostname)) return `PUBLIC_URL must be https. ${advice}`;
  return `HOST=${host} lets other machines in: set PUBLIC_URL to the https address that they use. ${advice}`;
}

/** Returns whether others can reach the service, by its listen address or its public URL. */
export function isPublic({ publicUrl, listen }: Pick<Config, 'publicUrl' | 'listen'>): boolean {
  return !isLoopback(new URL(publicUrl).hostname) || !isLoopback(listen.host);
}

/** @throws Error naming the entry that is not a host with an optional port */
function hostsIn(text: string): string[] {
  const hosts = text
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter(Boolean);
  for (const host of hosts)
    if (!/^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/.test(host))
      throw new Error(
        `ALLOWED_PRIVATE_HOSTS takes host names separated by commas, such as "bot-api" or "10.0.0.5:8081"; "${host.slice(0, 100)}" is none.`,
      );
  return hosts;
}

/** Returns whether a host name refers to this machine only. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    hostname === '::1' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
