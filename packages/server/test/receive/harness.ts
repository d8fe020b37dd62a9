import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReelayError } from '../../src/errors/reelay-error.ts';
import { deferContinue } from '../../src/http/receive/expect.ts';
import { openForm, type ReceivedForm, type ReceiveOptions } from '../../src/http/receive/form.ts';
import { refuseEarly } from '../../src/http/receive/refuse.ts';

/** The result of one request: the form, or the error that rejected it. */
type Outcome = { form: ReceivedForm } | { error: unknown };

/**
 * A real server with one operation: it receives a form and returns its values as JSON, with the service's error
 * responses.
 */
export interface Receiver {
  server: Server;
  port: number;
  folder: string;
  /** The result of the next request not yet returned. */
  outcome(): Promise<Outcome>;
  /** Names of the files in the scratch folder. */
  leftovers(): Promise<string[]>;
  stop(): Promise<void>;
}

export const BOUNDARY = 'boundary0123456789';

export interface ReceiverOptions extends Partial<ReceiveOptions> {
  /** Runs while the video is held back; null: the form has no video. An error ends the upload. */
  beforeVideo?(fields: ReadonlyMap<string, readonly string[]> | null): Promise<void>;
}

export async function startReceiver({ beforeVideo, ...options }: ReceiverOptions = {}): Promise<Receiver> {
  const folder = await mkdtemp(join(tmpdir(), 'reelay-receive-'));
  const outcomes: Outcome[] = [];
  const waiting: ((outcome: Outcome) => void)[] = [];
  const report = (outcome: Outcome) => {
    const next = waiting.shift();
    if (next === undefined) outcomes.push(outcome);
    else next(outcome);
  };
  const receive = async (request: IncomingMessage, response: ReceiveOptions['response']) => {
    const form = openForm(request, { folder, allowed: ['platforms', 'description'], response, ...options });
    try {
      if (beforeVideo) await beforeVideo(await form.untilVideo()).catch(form.abort);
      return await form.receive();
    } finally {
      await form.discard();
    }
  };
  const server = createServer((request, response) => {
    receive(request, response).then(
      (form) => {
        report({ form });
        response.end(JSON.stringify({ fields: [...form.fields], video: form.video }));
      },
      async (error: unknown) => {
        report({ error });
        const known = error instanceof ReelayError ? error : new ReelayError('internal_error');
        const body = Buffer.from(JSON.stringify({ success: false, code: known.code, message: known.message }));
        await refuseEarly(request, response, { status: known.status, body });
      },
    );
  });
  deferContinue(server);
  await listen(server);
  return {
    server,
    port: (server.address() as AddressInfo).port,
    folder,
    outcome: () => new Promise((resolve) => takeOr(outcomes, waiting, resolve)),
    leftovers: () => readdir(folder),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

function takeOr(ready: Outcome[], waiting: ((outcome: Outcome) => void)[], resolve: (outcome: Outcome) => void): void {
  const first = ready.shift();
  if (first === undefined) waiting.push(resolve);
  else resolve(first);
}

export function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}

/** A text part, without the line break after it. */
export function field(name: string, value: string | Buffer): Buffer {
  return part(`form-data; name="${name}"`, value);
}

/** A file part. */
export function file(name: string, content: Buffer, filename: string | null = 'a.mp4', type = 'video/mp4'): Buffer {
  const named = filename === null ? '' : `; filename="${filename}"`;
  return part(`form-data; name="${name}"${named}\r\nContent-Type: ${type}`, content);
}

function part(disposition: string, content: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(`Content-Disposition: ${disposition}\r\n\r\n`), Buffer.from(content)]);
}

/** Parts between boundaries, with the final one. */
export function body(...parts: Buffer[]): Buffer {
  const opened = parts.flatMap((one) => [Buffer.from(`--${BOUNDARY}\r\n`), one, Buffer.from('\r\n')]);
  return Buffer.concat([...opened, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

export interface ReceivedResponse {
  status: number;
  headers: string;
  /** Parsed JSON, or null. */
  json: { code?: string; message?: string; fields?: [string, string[]][]; video?: ReceivedForm['video'] };
  /** Everything that the server sent, including interim responses. */
  raw: string;
}

export interface SendOptions {
  contentType?: string | null;
  /** The announced length; default: the real one. */
  length?: number;
  headers?: string;
  /** Of HTTP; default: 1.1. */
  version?: '1.0' | '1.1';
}

/** Opens a connection and writes the headers of a POST request. */
export async function open(port: number, length: number, options: SendOptions = {}): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  // A server that closes the connection during the upload causes a reset here, as some tests expect.
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  const type = options.contentType === undefined ? `multipart/form-data; boundary=${BOUNDARY}` : options.contentType;
  const typed = type === null ? '' : `Content-Type: ${type}\r\n`;
  const framing = length < 0 ? 'Transfer-Encoding: chunked' : `Content-Length: ${options.length ?? length}`;
  const start = `POST / HTTP/${options.version ?? '1.1'}\r\nHost: x\r\nConnection: close\r\n`;
  socket.write(`${start}${typed}${options.headers ?? ''}${framing}\r\n\r\n`);
  return socket;
}

/** Sends one request over a raw socket and reads the complete response. */
export async function send(port: number, content: Buffer, options: SendOptions = {}): Promise<ReceivedResponse> {
  const socket = await open(port, content.length, options);
  const response = readResponse(socket);
  socket.write(content);
  return response;
}

/** Reads until the server closes the connection. */
export async function readResponse(socket: Socket): Promise<ReceivedResponse> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => socket.once('close', resolve));
  const raw = Buffer.concat(chunks).toString('utf8');
  const final = raw.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, '');
  const [headers = '', text = ''] = final.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(headers)?.[1] ?? 0), headers, json: parse(text), raw };
}

function parse(text: string): ReceivedResponse['json'] {
  try {
    return JSON.parse(text) as ReceivedResponse['json'];
  } catch {
    return {};
  }
}
