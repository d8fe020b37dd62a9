/** Raw calls to the Pinterest simulator, independent of the connector. */
import { simulator } from '../../src/platforms/pinterest/index.ts';
import { SETTINGS, type Settings } from '../../src/platforms/pinterest/records.ts';
import { type RawResponse, sendRaw } from '../harness/raw-http.ts';
import { type SimulatorOverrides, startSimulator } from '../harness/simulator.ts';

export const VIDEO = Buffer.from('not really a film');
export const BASIC = `Basic ${Buffer.from('sandbox-client:sandbox-secret').toString('base64')}`;
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

interface Registered {
  media_id: string;
  upload_url: string;
  upload_parameters: Record<string, string>;
}

export async function startPinterest(overrides: SimulatorOverrides = {}) {
  const clock = { now: Date.UTC(2026, 10, 21, 10) };
  const running = await startSimulator(simulator, { now: () => clock.now, slowMs: 5, ...overrides });
  const { tokenAnswer, remoteId } = await running.simulator.enrol('nora');
  const bearer = (response: typeof tokenAnswer) => `Bearer ${String(response?.access_token)}`;
  const own = bearer(tokenAnswer);
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
    const response = await sendRaw(path.startsWith('http') ? path : running.url + path, { method, headers, body });
    return { ...response, json: tryJson(response.text) };
  };
  const boards = async () => (await call('GET', '/v5/boards')).json.items as { id: string; privacy: string }[];
  const board = async () => (await boards()).find(({ privacy }) => privacy === 'PUBLIC')?.id ?? '';
  const register = async () =>
    (await call('POST', '/v5/media', { json: { media_type: 'video' } })).json as unknown as Registered;
  /** Sends form parts in the given order, the file last by default. */
  const upload = (url: string, parts: [name: string, value: string | Buffer][], headers: Record<string, string> = {}) =>
    call('POST', url, {
      authorization: null,
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers },
      body: formOf(parts),
    });
  const uploaded = async () => {
    const { media_id, upload_url, upload_parameters } = await register();
    await upload(upload_url, [...Object.entries(upload_parameters), ['file', VIDEO]]);
    return media_id;
  };
  const pinOf = async (changes: object = {}, source: object = {}) => ({
    board_id: await board(),
    description: 'Part 2 #sea',
    media_source: {
      source_type: 'video_id',
      media_id: await uploaded(),
      cover_image_key_frame_time: 1,
      ...source,
    },
    ...changes,
  });
  const pin = async (changes: object = {}, source: object = {}) =>
    call('POST', '/v5/pins', { json: await pinOf(changes, source) });
  const set = (settings: Partial<Settings>) => running.store.put(...SETTINGS, settings);
  const enrol = async (username: string) => bearer((await running.simulator.enrol(username)).tokenAnswer);
  return { ...running, clock, remoteId, tokenAnswer, call, board, register, upload, uploaded, pinOf, pin, set, enrol };
}

export type Pinterest = Awaited<ReturnType<typeof startPinterest>>;

/** Returns status and code of an error. */
export const said = ({ status, json }: JsonResponse) => [status, json.code];
/** Returns the code of an error of the storage. */
export const xmlCode = ({ status, text }: JsonResponse) => [status, /<Code>(\w+)<\/Code>/.exec(text)?.[1]];

function formOf(parts: [name: string, value: string | Buffer][]): Buffer {
  const pieces = parts.flatMap(([name, value]) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

function tryJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
