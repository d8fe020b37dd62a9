/** Raw calls to the Snapchat simulator, independent of the connector. */
import { createCipheriv, randomBytes } from 'node:crypto';
import { simulator } from '../../src/platforms/snapchat/index.ts';
import { SETTINGS, type Settings } from '../../src/platforms/snapchat/records.ts';
import { type RawResponse, sendRaw } from '../harness/raw-http.ts';
import { type SimulatorOverrides, startSimulator } from '../harness/simulator.ts';

export const VIDEO = Buffer.from('not really a film, but long enough for three blocks');
const BOUNDARY = 'the-boundary';

export interface JsonResponse extends RawResponse {
  json: Record<string, unknown>;
}

interface CallOptions {
  json?: unknown;
  form?: Record<string, string>;
  /** null: no header. */
  authorization?: string | null;
  headers?: Record<string, string>;
  body?: Buffer;
}

export async function startSnapchat(overrides: SimulatorOverrides = {}) {
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  const running = await startSimulator(simulator, { now: () => clock.now, slowMs: 5, ...overrides });
  const { tokenAnswer, remoteId } = await running.simulator.enrol('nora');
  const own = `Bearer ${String(tokenAnswer?.access_token)}`;
  const base = `/v1/public_profiles/${remoteId}`;
  const call = async (method: string, path: string, options: CallOptions = {}): Promise<JsonResponse> => {
    const { json, form, authorization = own } = options;
    const headers: Record<string, string> = {
      ...(authorization === null ? {} : { authorization }),
      ...options.headers,
    };
    if (json !== undefined) headers['content-type'] ??= 'application/json';
    if (form) headers['content-type'] ??= 'application/x-www-form-urlencoded';
    const body =
      options.body ??
      (json === undefined ? (form ? new URLSearchParams(form).toString() : undefined) : JSON.stringify(json));
    const response = await sendRaw(running.url + path, { method, headers, body });
    return { ...response, json: tryJson(response.text) };
  };
  const mediaOf = (changes: object = {}) => ({
    type: 'VIDEO',
    name: 'job-123',
    key: randomBytes(32).toString('base64'),
    iv: randomBytes(16).toString('base64'),
    ...changes,
  });
  const create = (json: unknown = mediaOf()) => call('POST', `${base}/media`, { json });
  const multipart = (path: string, fields: Record<string, string>, file?: Buffer) =>
    call('POST', path, {
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: formOf(fields, file),
    });
  const add = (path: string, part: number | string, file: Buffer) =>
    multipart(path, { action: 'ADD', part_number: String(part) }, file);
  const finalize = (path: string) => multipart(path, { action: 'FINALIZE' });
  /** Creates a medium and uploads its encrypted bytes in parts of `partBytes`. */
  const uploaded = async (bytes = VIDEO, partBytes = 32) => {
    const asked = mediaOf();
    const { media_id, add_path } = (await create(asked)).json;
    const whole = encipher(bytes, asked.key, asked.iv);
    for (let at = 0; at < whole.length; at += partBytes)
      await add(String(add_path), at / partBytes + 1, whole.subarray(at, at + partBytes));
    await finalize(String(add_path));
    return String(media_id);
  };
  const post = (json: object) => call('POST', `${base}/spotlights`, { json: { locale: 'en_US', ...json } });
  const set = (settings: Partial<Settings>) => running.store.put(...SETTINGS, settings);
  return {
    ...running,
    clock,
    remoteId,
    tokenAnswer,
    base,
    call,
    mediaOf,
    create,
    multipart,
    add,
    finalize,
    uploaded,
    post,
    set,
  };
}

export type Snapchat = Awaited<ReturnType<typeof startSnapchat>>;

/** Returns status and code of an error. */
export const said = ({ status, json }: JsonResponse) => [status, json.error_code];

export function encipher(bytes: Buffer, key: string, iv: string): Buffer {
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(key, 'base64'), Buffer.from(iv, 'base64'));
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}

function formOf(fields: Record<string, string>, file?: Buffer): Buffer {
  const head = (name: string, more = '') =>
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`);
  const pieces: Buffer[] = Object.entries(fields).flatMap(([name, value]) => [
    head(name),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  if (file)
    pieces.push(head('file', '; filename="part"\r\nContent-Type: application/octet-stream'), file, Buffer.from('\r\n'));
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

function tryJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
