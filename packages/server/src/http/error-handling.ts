/** Error handling of the application: sends all errors in one format, and logs our own. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, ReelayError } from '../errors/reelay-error.ts';
import { escapeHtml } from '../lib/html.ts';
import { errorMessage } from '../messages/error-texts.ts';
import { pageText } from '../messages/pages.ts';
import { hasUnreadBody } from './bodies.ts';
import { asRefusal, errorBody, errorHeaders } from './error-responses.ts';
import type { HttpServices } from './http-services.ts';
import { declareLanguage, speaking } from './language.ts';
import { cameOverLoopback } from './local-request.ts';
import { htmlPage, PAGE_HEADERS } from './page.ts';
import { lingeringBody } from './receive/refuse.ts';
import { DASHBOARD_PATH } from './web-files.ts';

/**
 * Checks the service state and HTTPS. Health checks are always answered, other requests only while the service runs and
 * over HTTPS if its public URL uses it.
 * @throws ReelayError `draining`, `https_required`
 */
export function refuseOutOfService(context: HttpServices, request: FastifyRequest): void {
  const path = pathOf(request);
  if (path.startsWith('/health/')) return;
  const peer = request.raw.socket.remoteAddress ?? '';
  if (path === '/metrics' && cameOverLoopback({ peer, header: (name) => request.headers[name]?.toString() })) return;
  if (context.lifecycle.state === 'draining') throw new ReelayError('draining');
  if (context.config.httpsOnly && request.protocol !== 'https') throw new ReelayError('https_required');
}

/** Refusals under load or at the end: not failures. A stranger could fill the log with them. */
const EXPECTED = new Set<ErrorCode>(['busy', 'draining']);

function logFailure({ log }: Pick<HttpServices, 'log'>, error: ReelayError, requestId: string): void {
  const { status, code, cause = error } = error;
  if (status < 500) return;
  if (EXPECTED.has(code)) log.info({ code, requestId }, 'request refused');
  else log.error({ err: cause, code, requestId }, 'request failed');
}

/** The path without the query. */
export function pathOf(request: FastifyRequest): string {
  return (request.raw.url ?? '/').split('?', 1)[0] ?? '/';
}

/** Sends an error response for anything thrown, with a message that is safe to show: to a browser's page as HTML. */
export function sendRefusal(
  context: HttpServices,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const original = asRefusal(error);
  logFailure(context, original, request.id);
  const refusal = request.routeOptions?.config?.raw?.refuseAs?.(original) ?? original;
  reply.raw.setHeader('x-request-id', request.id);
  reply.code(refusal.status).headers(errorHeaders(refusal));
  if (context.lifecycle.state === 'draining') reply.header('connection', 'close');
  declareLanguage(reply, request);
  const isPage = isForBrowser(request) && request.headers.accept?.includes('text/html');
  if (isPage) reply.headers(PAGE_HEADERS);
  const body = Buffer.from(isPage ? errorPage(context, refusal, request) : errorJson(context, refusal, request));
  if (!hasUnreadBody(request.raw)) return reply.send(body);
  // The client is still sending: it must be able to read the response before the connection closes.
  reply.header('connection', 'close').header('content-length', body.length);
  return reply.send(lingeringBody(request.raw, body));
}

/** Whether a page is expected at the path, as outside of the API where nothing is. */
function isForBrowser(request: FastifyRequest): boolean {
  return (request.routeOptions?.config?.isPage ?? false) || (request.is404 && !pathOf(request).startsWith('/api/'));
}

function errorJson(context: HttpServices, refusal: ReelayError, request: FastifyRequest): string {
  return JSON.stringify(errorBody(refusal, speaking(context, request).renderMessage));
}

function errorPage(context: HttpServices, refusal: ReelayError, request: FastifyRequest): string {
  const { language, renderMessage: render } = speaking(context, request);
  const isMissing = refusal.code === 'not_found';
  const isUnspecific = isMissing && refusal.said.code === errorMessage(refusal.code).code;
  const message = isUnspecific ? render(pageText('missing')) : errorBody(refusal, render).message;
  const title = render(pageText(isMissing ? 'missing_title' : 'failed_title'));
  const way = isMissing ? `<p><a href="${DASHBOARD_PATH}/">${render(pageText('missing_way'))}</a></p>` : '';
  const reference = render(pageText('reference', { id: escapeHtml(request.id) }));
  const body = `<h1>${title}</h1><p>${escapeHtml(message)}</p>${way}<p><small>${reference}</small></p>`;
  return htmlPage({ title, body, language });
}
