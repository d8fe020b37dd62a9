/** Sends files of a folder, or their compressed copies: conditional requests, ranges, and every error to the caller. */
import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { answerRange } from '../lib/ranges.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mp4': 'video/mp4',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
};

interface Coding {
  /** As in `Content-Encoding`. */
  name: string;
  /** Of the compressed copy. */
  extension: string;
}

/** The smallest first. */
const CODINGS: readonly Coding[] = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
];

/** Pure. The codings that a client accepts (RFC 9110, section 12.5.3), in our order. `*` is ignored. */
function acceptedCodings(header: string | string[] | undefined): readonly Coding[] {
  const entries = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((entry) => entry.replace(/\s/g, ''));
  const accepted = entries.filter((entry) => !/;q=0(?:\.0*)?$/.test(entry)).map((entry) => entry.split(';')[0]);
  return CODINGS.filter(({ name }) => accepted.includes(name));
}

export interface FileRequest {
  folder: string;
  /** Of the URL, below the folder; begins with a slash. */
  path: string;
  /** How long the file may be cached. An error is never cached. */
  cacheControl: string;
}

/**
 * Responds with a file. A client that disconnects ends the response without an error.
 * @returns false if there is no such file; nothing is sent then
 * @throws the file system's error
 */
export async function sendFile(
  { folder, path, cacheControl }: FileRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  if (!PATH.test(path)) return false;
  const file = await openFirst(join(folder, path), acceptedCodings(request.headers['accept-encoding']));
  if (!file) return false;
  const { handle, size, etag } = file;
  try {
    const { status, headers, range } = answerRange(request.headers, size, etag);
    const caching = { 'cache-control': status < 400 ? cacheControl : 'no-cache', vary: 'Accept-Encoding' };
    response.writeHead(status, { ...file.headers, ...headers, ...caching });
    const hasBody = range && request.method !== 'HEAD';
    const body = hasBody ? handle.createReadStream({ start: range.first, end: range.last, autoClose: false }) : [];
    await pipeline(body, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  } finally {
    await handle.close();
  }
  return true;
}

/** A name that needs no escapes and does not begin with a dot, in folders with such names. */
const PATH = /^(?:\/[\w-][\w.-]*)+$/;

interface OpenFile {
  handle: FileHandle;
  size: number;
  /** Differs between the codings of a file. */
  etag: string;
  headers: OutgoingHttpHeaders;
}

/** Opens the first of the compressed copies that exists, or the file itself. */
async function openFirst(location: string, codings: readonly Coding[]): Promise<OpenFile | null> {
  const type = { 'content-type': TYPES[extname(location)] ?? 'application/octet-stream' };
  for (const { name, extension } of codings) {
    const copy = await openFile(location + extension);
    if (copy) return { ...copy, headers: { ...type, 'content-encoding': name } };
  }
  const file = await openFile(location);
  return file && { ...file, headers: type };
}

const MISSING = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'];

/** What is read afterwards belongs to the opened file, also if a new build replaces it meanwhile. */
async function openFile(location: string): Promise<Omit<OpenFile, 'headers'> | null> {
  const handle = await open(location).catch((error: NodeJS.ErrnoException) => {
    if (MISSING.includes(error.code ?? '')) return null;
    throw error;
  });
  if (!handle) return null;
  try {
    const stats = await handle.stat();
    const tag = `"${stats.size.toString(36)}-${Math.trunc(stats.mtimeMs).toString(36)}${extname(location)}"`;
    if (stats.isFile()) return { handle, size: stats.size, etag: tag };
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return null;
}
