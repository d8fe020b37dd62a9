import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../kit/simulator.ts';
import type { Account, Post } from './records.ts';

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:26rem;margin:2rem auto;padding:0 1rem}
label,input:not([type=checkbox]){display:block;width:100%;box-sizing:border-box}
input,button{font:inherit;padding:.5rem}input[type=checkbox]{margin-right:.5rem}fieldset{margin:1rem 0}`;

/** A page without scripts. @param body HTML */
export function page(title: string, body: string, status = 200): SimulatorAnswer {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'",
      'cache-control': 'no-store',
    },
    body: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`,
  };
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** The public page of a post; the name in its address does not matter. */
export async function postPage(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const key = await options.books.get<string>('post-key', request.params.id ?? '');
  const post = key === undefined ? undefined : await options.books.get<Post>('post', key);
  if (!post?.revealed) return page('This page does not exist', '', 404);
  const account = await options.books.get<Account>('account', post.accountId);
  return page(`${account?.name ?? ''} on X (sandbox)`, `<p style="white-space:pre-wrap">${escapeHtml(post.text)}</p>`);
}

/** The picture of an account: its first letter on a colour of its own. */
export async function avatar(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const account = await options.books.get<Account>('account', request.params.id ?? '');
  if (!account) return { status: 404 };
  const letter = escapeHtml([...account.username][0]?.toUpperCase() ?? '');
  const hue = Number(account.id.slice(-4)) % 360;
  return {
    status: 200,
    headers: { 'content-type': 'image/svg+xml' },
    body: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="hsl(${hue} 60% 40%)"/><text x="48" y="64" font-family="sans-serif" font-size="48" fill="#fff" text-anchor="middle">${letter}</text></svg>`,
  };
}

export function postUrl(options: SimulatorOptions, username: string, id: string): string {
  return `${options.baseUrl}/${encodeURIComponent(username)}/status/${id}`;
}
