/**
 * Routes outside the API: small HTML pages, redirects, and mounted handlers such as the sandbox.
 * `Services` is the value that handlers are called with, usually the context.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { escapeHtml } from '../lib/html.ts';
import type { Limit } from '../queue/rate-counter.ts';
import { LOGO, PAGE_STYLE } from './page-style.ts';

export interface PageRequest {
  params: Record<string, string>;
  query: URLSearchParams;
  header(name: string): string | undefined;
  /** The client's address, resolved through trusted proxies. */
  address: string;
  /** The remote address of the connection. */
  peer: string;
  id: string;
  /** Fields of a posted form; empty for anything else. */
  form: URLSearchParams;
}

export interface PageResponse {
  status: number;
  /** Lower-case names; several cookies as an array. */
  headers?: Record<string, string | string[]>;
  /** Absent: empty body. Sent as HTML with strict security headers unless `content-type` is set. */
  body?: string | Buffer;
}

export interface Page<Services = unknown> {
  method: 'GET' | 'POST';
  /** Full path, with parameters in braces: `/oauth/{platform}/callback`. */
  path: string;
  /** Whether a GET changes something: then HEAD is not supported. */
  writes?: boolean;
  /** The rate limit of requests from an address. */
  limit?(address: string): Limit;
  handle(services: Services, request: PageRequest): Promise<PageResponse> | PageResponse;
}

/** Everything below a path, handled with the raw request. Nothing has been read or written yet. */
export interface Mount<Services = unknown> {
  /** Without a trailing slash: `/sandbox/tiktok`. */
  prefix: string;
  handle(services: Services, request: IncomingMessage, response: ServerResponse): void;
}

/** No third-party content, scripts or frames; styles only inline. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** Headers of what platforms read without a cookie: pages of other sites may embed it. */
export const FOR_OTHER_SITES = { 'cross-origin-resource-policy': 'cross-origin' } as const;

/**
 * Renders a small HTML page.
 * @param page.body HTML that is already escaped
 * @param page.language of the body (BCP 47); default: English
 * @param page.style CSS added to the common styles
 */
export function htmlPage({
  title,
  body,
  language = 'en',
  style = '',
}: {
  title: string;
  body: string;
  language?: string;
  style?: string;
}): string {
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${PAGE_STYLE}${style}</style>
<header>${LOGO}Reelay</header><main>${body}</main></html>`;
}
