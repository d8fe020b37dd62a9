/** Request bodies: size limits, parsing and time limits. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { apiError } from '../errors/reelay-error.ts';
import { parseJson } from './json.ts';
import { network } from './request-limits.ts';

/** Maximum size of a JSON body, in bytes. */
export const JSON_LIMIT = 1024 * 1024;

/** Rejects small bodies that do not arrive in time, because a slow one occupies a connection. */
export function hurry(app: FastifyInstance, withinMs: number): void {
  app.addHook('preParsing', async (request, reply) => {
    if (!hasUnreadBody(request.raw)) return;
    const timer = setTimeout(() => {
      if (!request.raw.complete && !reply.sent) reply.send(apiError('body_timed_out', { seconds: withinMs / 1000 }));
    }, withinMs);
    reply.raw.once('close', () => clearTimeout(timer));
  });
}

/** Skips body parsing: the handler reads the body itself, or nobody does. */
export function ignoreBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** Accepts only JSON. Line breaks in its texts become line feeds. */
export function takeJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    parseJson(body),
  );
}

/**
 * Accepts only small JSON bodies. An empty body counts as missing.
 * @param limit maximum size in bytes
 */
export function takeSmallJson(app: FastifyInstance, limit: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: limit },
    async (_request: unknown, body: Buffer) => (body.length > 0 ? parseJson(body) : undefined),
  );
}

/** Rejects a body if its client address already has too many unfinished ones. Call it before {@link hurry}. */
export function limitUnfinished(app: FastifyInstance, mostPerAddress: number): void {
  const unfinished = new Map<string, number>();
  app.addHook('preParsing', async (request, reply) => {
    if (!hasUnreadBody(request.raw)) return;
    const address = network(request.ip);
    const count = (unfinished.get(address) ?? 0) + 1;
    if (count > mostPerAddress) throw apiError('too_many_unfinished');
    unfinished.set(address, count);
    const release = once(() => {
      const left = (unfinished.get(address) ?? 1) - 1;
      if (left > 0) unfinished.set(address, left);
      else unfinished.delete(address);
    });
    request.raw.once('end', release);
    reply.raw.once('close', release);
  });
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}

/** Maximum size of a page's form, in bytes. */
const FORM_LIMIT = 16 * 1024;

/** Accepts only forms (`application/x-www-form-urlencoded`). */
export function takeForm(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_LIMIT },
    async (_request: unknown, body: string) => new URLSearchParams(body),
  );
}

/** For operations without a body: JSON is parsed, other types are ignored. */
export function readAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const json = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
    return json && body.length > 0 ? parseJson(body) : undefined;
  });
}

/** Whether part of the announced body has not arrived yet. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  return !request.complete && (coding !== undefined || (length !== undefined && length !== '0'));
}
