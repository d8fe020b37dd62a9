/** Helpers for tests of uploads: complete requests, and requests sent in pieces. */
import { createHash, randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import http, { type ClientRequest } from 'node:http';
import { expect } from 'vitest';
import { type RawResponse, sendRaw } from '../../../sandbox/test/harness/raw-http.ts';
import { openUpload } from '../../src/uploads/posting.ts';
import { documentCheck } from '../harness/document.ts';
import type { TestService } from '../harness/service.ts';

export const MIB = 1024 * 1024;

/** Random bytes. */
export function someBytes(count: number): Buffer {
  return randomBytes(count);
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** An authenticated client. */
export interface Uploader {
  /** URL of the service. */
  url: string;
  headers: Record<string, string>;
}

export function withKey({ url }: { url: string }, { key }: { key: string }): Uploader {
  return { url, headers: { authorization: `Bearer ${key}` } };
}

export function withSession({ url }: { url: string }, { cookie }: { cookie: string }): Uploader {
  return { url, headers: { cookie, 'x-reelay-csrf': '1' } };
}

/** Sends a request and validates the format of error responses. @param path below `/api/v1` */
export async function ask(
  { url, headers }: Uploader,
  method: string,
  path: string,
  more: Record<string, string> = {},
  body?: Buffer,
): Promise<RawResponse & { code: string | null; offset: number | null }> {
  const sent = { 'tus-resumable': '1.0.0', ...headers, ...(body ? { 'content-length': String(body.length) } : {}) };
  const response = await sendRaw(`${url}/api/v1${path}`, { method, headers: { ...sent, ...more }, body });
  // The OpenAPI document describes the methods themselves, not the override for clients that can send only POST.
  const tunneled = method === 'POST' && path !== '/uploads';
  if (!tunneled)
    documentCheck().check(method, path, {
      ...response,
      body: response.text === '' ? undefined : JSON.parse(response.text),
    });
  const refused = response.status >= 400 && method !== 'HEAD' ? JSON.parse(response.text) : null;
  const wait = refused?.code === 'rate_limited' ? { retryAfter: expect.any(Number) } : {};
  if (refused) expect(refused).toEqual({ success: false, code: refused.code, message: expect.any(String), ...wait });
  const offset = response.headers.get('upload-offset');
  return { ...response, code: refused?.code ?? null, offset: offset === null ? null : Number(offset) };
}

/** Creates an upload. @returns its path below `/api/v1` */
export async function begin(uploader: Uploader, bytes: number, more: Record<string, string> = {}): Promise<string> {
  const response = await ask(uploader, 'POST', '/uploads', { 'upload-length': String(bytes), ...more });
  expect(response.status, response.text).toBe(201);
  return (response.headers.get('location') ?? '').replace(/^\/api\/v1/, '');
}

export const PIECE = { 'content-type': 'application/offset+octet-stream' };

/** Sends one piece. */
export function send(
  uploader: Uploader,
  path: string,
  offset: number,
  body: Buffer,
  more: Record<string, string> = {},
) {
  return ask(uploader, 'PATCH', path, { ...PIECE, 'upload-offset': String(offset), ...more }, body);
}

export async function offsetOf(uploader: Uploader, path: string): Promise<number> {
  const { status, offset } = await ask(uploader, 'HEAD', path);
  expect(status).toBe(200);
  return offset ?? -1;
}

/** Uploads the whole. @returns the id */
export async function upload(uploader: Uploader, bytes: Buffer): Promise<string> {
  const path = await begin(uploader, bytes.length);
  expect((await send(uploader, path, 0, bytes)).status).toBe(204);
  return idOf(path);
}

export const idOf = (path: string) => path.split('/').at(-1) ?? '';

/** The content that a post would get from a finished upload. */
export async function contentOf(service: Pick<TestService, 'context'>, userId: string, path: string) {
  const scratchFolder = service.context.storage.scratch;
  const opened = await openUpload(service.context, { userId, uploadId: idOf(path), scratchFolder });
  const bytes = await readFile(opened.path);
  await rm(opened.path);
  return { bytes, sha256: opened.sha256, length: opened.bytes };
}

/** A piece whose bytes the test sends step by step. */
export interface SlowPiece {
  request: ClientRequest;
  write(bytes: Buffer): Promise<void>;
  /** Status and code of the response; null if the connection was closed before it. */
  response: Promise<{ status: number; code: string | null } | null>;
}

export function beginPiece(
  { url, headers }: Uploader,
  path: string,
  { offset, length, more = {} }: { offset: number; length?: number; more?: Record<string, string> },
): SlowPiece {
  const announced: Record<string, string> = length === undefined ? {} : { 'content-length': String(length) };
  const request = http.request(`${url}/api/v1${path}`, {
    method: 'PATCH',
    agent: false,
    headers: { 'tus-resumable': '1.0.0', ...headers, ...PIECE, 'upload-offset': String(offset), ...announced, ...more },
  });
  const response = new Promise<Awaited<SlowPiece['response']>>((resolve) => {
    request.on('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      resolve({ status: response.statusCode ?? 0, code: text ? JSON.parse(text).code : null });
    });
    request.on('error', () => resolve(null));
  });
  const closed = new Promise((resolve) => request.once('close', resolve));
  return {
    request,
    response,
    async write(bytes) {
      if (request.destroyed || request.write(bytes)) return;
      await Promise.race([closed, new Promise((resolve) => request.once('drain', resolve))]);
    },
  };
}
