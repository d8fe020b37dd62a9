/** Parses the parameters of a call from the query, a form, JSON, or a multipart body. */
import { randomUUID } from 'node:crypto';
import type { Blobs, SimulatorRequest } from '../../contract.ts';
import { type ReceivedFile, receiveParts } from '../../http/multipart-form.ts';
import { isObject } from '../../http/parameters.ts';
import { Refused } from '../../refused.ts';
import { refuse, TOO_LARGE } from './responses.ts';

export interface Parameters {
  /** Returns "" if absent. */
  text(name: string): string;
  /** Returns 0 if absent or not an integer. */
  number(name: string): number;
  file(name: string): ReceivedFile | undefined;
  /** All parts with a file name. */
  files: readonly ReceivedFile[];
}

/** Maximum size in bytes of the fields around a file. */
const FIELDS_BYTES = 100_000;

/** @param maxBytes maximum size of one file @throws Refused */
export async function readParameters(request: SimulatorRequest, blobs: Blobs, maxBytes: number): Promise<Parameters> {
  const type = request.headers['content-type'] ?? '';
  const fields = new Map<string, string>(request.query);
  let files: ReceivedFile[] = [];
  // The gateway checks Content-Length before the body is read.
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + FIELDS_BYTES) throw new Refused(TOO_LARGE);
  if (request.method !== 'GET') {
    if (/^multipart\/form-data/i.test(type)) files = await readMultipart(request, blobs, maxBytes, fields);
    else if (/^application\/json/i.test(type)) readJson(await request.json(), fields);
    else for (const [name, value] of await request.form()) fields.set(name, value);
  }
  const text = (name: string) => fields.get(name) ?? '';
  return {
    text,
    number: (name) => (/^-?\d{1,15}$/.test(text(name)) ? Number(text(name)) : 0),
    file: (name) => files.findLast(({ part }) => part === name),
    files,
  };
}

function readJson(body: unknown, fields: Map<string, string>): void {
  if (!isObject(body)) refuse(400, "Bad Request: can't parse the request body as a JSON object");
  for (const [name, value] of Object.entries(body))
    if (value !== null) fields.set(name, typeof value === 'string' ? value : JSON.stringify(value));
}

async function readMultipart(
  request: SimulatorRequest,
  blobs: Blobs,
  maxBytes: number,
  fields: Map<string, string>,
): Promise<ReceivedFile[]> {
  if (!/boundary=/i.test(request.headers['content-type'] ?? ''))
    refuse(400, 'Bad Request: boundary not found in multipart/form-data');
  const parts = await receiveParts(request, { blobs, maxBytes, keyOf: () => `file/${randomUUID()}` });
  if (!parts) return refuse(400, 'Bad Request: the request body broke off');
  for (const { name, value } of parts.fields) fields.set(name, value);
  if (parts.files.every(({ bytes }) => bytes <= maxBytes)) return parts.files;
  for (const { blob } of parts.files) await blobs.remove(blob);
  throw new Refused(TOO_LARGE);
}
