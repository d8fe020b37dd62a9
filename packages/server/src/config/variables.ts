/** Schema of the environment variables. An invalid value stops the start with a sentence. */
import { z } from 'zod';
import { withoutFinalSlashes } from '../lib/text.ts';
import { PLAN_NAMES } from './plan-names.ts';
import { type PlatformSettings, settingsFrom } from './settings.ts';

const onOff = z.enum(['on', 'off']);
const port = z.coerce.number().int().min(0).max(65_535);
/** Whether a text is `reelay@example.org` or `Reelay <reelay@example.org>`. */
const isSender = (text: string) => {
  const [, name = '', bracketed = text] = /^([^<>\r\n]*)<([^<>\s]+)>$/.exec(text) ?? [];
  return name.length <= 100 && z.email().safeParse(bracketed).success;
};
/** Paths are appended to it. */
const baseAddress = z
  .url({ protocol: /^https?$/ })
  .refine((text) => !/[?#@]/.test(text), 'must be an address without user, query and fragment')
  .transform(withoutFinalSlashes);

/** The service's own address: its pages, links and callbacks start at `/`. */
const ownAddress = z.url({ protocol: /^https?$/ }).refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^\/*$/.test(url.pathname) && !/[?#@]/.test(text);
}, 'Reelay needs a host or port of its own, such as https://reelay.example, without a path, query, fragment or user');

const DATABASE_URL_FORM =
  'must be postgres://USER:PASSWORD@HOST/NAME. Percent-encode special characters in user and password: # is %23, / is %2F, ? is %3F, @ is %40, % is %25';
/** A raw `#`, `/` or `?` in the password ends the host early: its rest, with the `@`, is then elsewhere. */
const databaseAddress = z
  .url({ protocol: /^postgres(ql)?$/, error: DATABASE_URL_FORM })
  .refine((text) => isDatabaseAddress(text), DATABASE_URL_FORM);

function isDatabaseAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  const { username, password, pathname, search, hash } = url;
  if (hash !== '' || pathname.includes('@') || /^\?[^=]*@/.test(search)) return false;
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** Variables of one platform, named by the first part of the variable. */
const ofPlatforms = z.object({
  BLUESKY_JETSTREAM_URL: z
    .union([z.literal('off'), z.url({ protocol: /^wss?$/ }).transform(withoutFinalSlashes)], {
      error: 'must be a wss:// address or "off"',
    })
    .optional(),
  BLUESKY_PLC_URL: baseAddress.optional(),
  LINKEDIN_API_VERSION: z
    .string()
    .regex(/^20\d\d(0[1-9]|1[0-2])$/, 'must be a month, such as 202609')
    .optional(),
  TELEGRAM_API_URL: baseAddress.optional(),
  YOUTUBE_HUB_URL: z.union([z.literal('off'), baseAddress], { error: 'must be an address or "off"' }).optional(),
  TELEGRAM_STORAGE_CHAT: z
    .string()
    .regex(/^(@[a-z]\w{3,31}|-?\d{5,20})$/i, 'must be @name or the number of a chat')
    .optional(),
  X_BEARER_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{20,2000}$/, 'must be a bearer token, without "Bearer" before it')
    .optional(),
  X_READS_PER_DAY: z
    .string()
    .regex(/^(0|[1-9]\d{0,8})$/, 'must be a number of posts, such as 1000')
    .optional(),
});

const schema = z.object({
  PORT: port.optional(),
  HOST: z.string().min(1).optional(),
  PUBLIC_URL: ownAddress.optional(),
  TLS_CERT_FILE: z.string().min(1).optional(),
  TLS_KEY_FILE: z.string().min(1).optional(),
  TRUST_PROXY: z.string().min(1).optional(),
  ALLOW_HTTP: onOff.optional(),
  DATA_DIR: z.string().min(1).optional(),
  DATABASE_URL: databaseAddress.optional(),
  STORAGE_URL: z.url({ protocol: /^file$/, error: 'must be a file:// address' }).optional(),
  SECRET_KEY: z.string().min(1).optional(),
  SECRET_KEY_FILE: z.string().min(1).optional(),
  SECRET_KEY_PREVIOUS: z.string().min(1).optional(),
  ROLE: z.enum(['all', 'api', 'worker']).optional(),
  SANDBOX: onOff.optional(),
  DEFAULT_PLAN: z.enum(PLAN_NAMES).optional(),
  PLANS_FILE: z.string().min(1).optional(),
  RATE_LIMIT: z.enum(['per-minute', 'per-plan-hourly', 'off']).optional(),
  SIGNUP: z.enum(['open', 'first-user', 'closed']).optional(),
  MEDIA_RETENTION_DAYS: z.coerce.number().min(0).max(36_500).optional(),
  FFMPEG_PATH: z.string().min(1).optional(),
  FFPROBE_PATH: z.string().min(1).optional(),
  MEDIA_DOWNLOADER: z.string().min(1).optional(),
  ALLOWED_PRIVATE_HOSTS: z.string().optional(),
  METRICS_TOKEN: z.string().min(1).optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' }).optional(),
  MAIL_FROM: z.string().refine(isSender, 'must be an email address, such as reelay@example.org').optional(),
  OPERATOR_CONTACT: z
    .union([z.email(), z.url({ protocol: /^https$/ })], { error: 'must be an email address or an https address' })
    .optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).optional(),
});

/** Variables by name; empty ones are unset. */
export type Given = Readonly<Record<string, string>>;

/**
 * An application at a platform: `TIKTOK_CLIENT_KEY` and `TIKTOK_CLIENT_SECRET`, or `FACEBOOK_APP_ID` and
 * `FACEBOOK_APP_SECRET`.
 */
const APP_VARIABLE = /^([A-Z]+)_(CLIENT_KEY|CLIENT_ID|APP_ID|CLIENT_SECRET|APP_SECRET)$/;

export interface GivenApp {
  id?: string;
  secret?: string;
  /** Names of the variables that were set. */
  variables?: string[];
}

export type Environment = z.infer<typeof schema> & {
  /** Keyed by the prefix of the variables, in lower case. */
  apps: Record<string, GivenApp>;
  settings: PlatformSettings;
  /** Whether standard output is a terminal. */
  terminal: boolean;
};

/** Validates variables. @param given those that have a value @throws Error naming the variable */
export function checkVariables(given: Given): Omit<Environment, 'terminal'> {
  const parsed = schema.safeParse(given);
  const special = ofPlatforms.safeParse(given);
  if (!parsed.success || !special.success) {
    const issue = (parsed.error ?? special.error)?.issues[0];
    const name = String(issue?.path[0]);
    const shown = name.startsWith('SECRET') || /_(?:URL|TOKEN)$/.test(name) ? '' : ` "${given[name]}"`;
    throw new Error(`The variable ${name}${shown} is invalid: ${issue?.message}.`);
  }
  return { ...parsed.data, apps: appsIn(given), settings: settingsFrom(special.data) };
}

function appsIn(given: Given): Environment['apps'] {
  const apps: Environment['apps'] = {};
  for (const [name, value] of Object.entries(given)) {
    const match = APP_VARIABLE.exec(name);
    if (!match?.[1] || !match[2]) continue;
    const prefix = match[1].toLowerCase();
    const half = match[2].endsWith('SECRET') ? 'secret' : 'id';
    apps[prefix] = { ...apps[prefix], [half]: value, variables: [...(apps[prefix]?.variables ?? []), name] };
  }
  return apps;
}
