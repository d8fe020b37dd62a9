/** Addresses outside the interface: small pages, redirects, raw handlers such as the sandbox. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../context.ts';

export interface PageRequest {
  params: Record<string, string>;
  query: URLSearchParams;
  header(name: string): string | undefined;
  /** The client's address, behind believed proxies. */
  address: string;
  /** The address at the other end of the connection. */
  peer: string;
  id: string;
  /** Fields of a form that was posted; of anything else none. */
  form: URLSearchParams;
}

export interface PageAnswer {
  status: number;
  /** Lower-case names; several cookies as an array. */
  headers?: Record<string, string | string[]>;
  /** Absent: an empty body. Sent as HTML with strict security headers unless `content-type` says otherwise. */
  body?: string;
}

export interface Page {
  method: 'GET' | 'POST';
  /** Whole path; parts in braces are parameters: `/oauth/{platform}/callback`. */
  path: string;
  /** Whether a GET changes something: then HEAD is not answered in its place. */
  writes?: boolean;
  handle(context: Context, request: PageRequest): Promise<PageAnswer> | PageAnswer;
}

/** Everything below a path, handled on the bare request. Nothing has been read or written yet. */
export interface Mount {
  /** Without a final slash: `/sandbox/tiktok`. */
  prefix: string;
  handle(context: Context, request: IncomingMessage, response: ServerResponse): void;
}

/** Nothing foreign, no scripts, no frames; styles only inline. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** Text that is safe between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
}

/** A whole small page. @param body HTML that is already safe @param style CSS beside the common one */
export function htmlPage(title: string, body: string, style = ''): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
a{color:#0b57d0}@media(prefers-color-scheme:dark){body{color:#eee;background:#151515}a{color:#8ab4f8}}${style}</style>
<main>${body}</main></html>`;
}
