import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from './env.ts';

/** Keys derived from SECRET_KEY. Never logged, never part of {@link Config}. */
export interface Secrets {
  /** 32 bytes each. The first seals; all can open. */
  sealing: readonly Buffer[];
  /** Signs sessions, and encrypts second factors. */
  session: string;
  /** Of previous keys; they only decrypt second factors. */
  previousSessions: readonly string[];
  /** Signs URLs of files. */
  links: Buffer;
  /** Derives the secrets of notifications. After a change of the key, they are invalid until they are renewed. */
  hooks: Buffer;
  /** First 8 hex characters of the key's SHA-256: identifies the key without revealing it. */
  fingerprint: string;
}

/**
 * Loads the key from the environment or the data folder. The data folder's key is created on the first start.
 * @throws Error when a given key is not 32 bytes of base64
 */
export async function loadSecrets(env: Environment, dataDir: string): Promise<Secrets> {
  const given =
    env.SECRET_KEY ?? (env.SECRET_KEY_FILE ? (await readFile(env.SECRET_KEY_FILE, 'utf8')).trim() : undefined);
  const current =
    given === undefined ? await ownKey(dataDir) : decode(given, env.SECRET_KEY ? 'SECRET_KEY' : 'SECRET_KEY_FILE');
  const previous = env.SECRET_KEY_PREVIOUS ? [decode(env.SECRET_KEY_PREVIOUS, 'SECRET_KEY_PREVIOUS')] : [];
  return secretsFrom(current, previous);
}

/** Derives every key from one (HKDF-SHA-256, RFC 5869), so that none reveals another. */
export function secretsFrom(key: Buffer, previous: readonly Buffer[] = []): Secrets {
  return {
    sealing: [key, ...previous].map((each) => derive(each, 'seal')),
    session: derive(key, 'session').toString('base64'),
    previousSessions: previous.map((each) => derive(each, 'session').toString('base64')),
    links: derive(key, 'links'),
    hooks: derive(key, 'hooks'),
    fingerprint: createHash('sha256').update(key).digest('hex').slice(0, 8),
  };
}

function derive(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `reelay ${purpose}`, 32));
}

function decode(text: string, name: string): Buffer {
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new Error(`${name} must be 32 bytes in base64: try "openssl rand -base64 32".`);
  return key;
}

/**
 * Creates the key file once: writes a temporary file and hard-links it, so that a concurrent start finds a complete
 * file or none.
 */
async function ownKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'secret-key');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const found = await readFile(path, 'utf8').catch(unlessMissing);
  if (found !== null) return decode(found.trim(), path);
  const made = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    const file = await open(made, 'wx', 0o600);
    await file.writeFile(`${randomBytes(32).toString('base64')}\n`);
    await file.sync();
    await file.close();
    await link(made, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(made, { force: true });
  }
  return decode((await readFile(path, 'utf8')).trim(), path);
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
