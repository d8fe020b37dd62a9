import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../kit/simulator.ts';
import type { Account, Video } from './records.ts';

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:26rem;margin:2rem auto;padding:0 1rem}
label,input:not([type=checkbox]){display:block;width:100%;box-sizing:border-box}
input,button{font:inherit;padding:.5rem}input[type=checkbox]{margin-right:.5rem}fieldset{margin:1rem 0}`;

/** A page without scripts. @param body HTML */
export function page(title: string, body: string): SimulatorAnswer {
  return {
    status: 200,
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

/** Public page of one video; there is none for a video that only some may see. */
export async function videoPage(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const video = await options.books.get<Video>('video', request.params.id ?? '');
  const fits = video && request.params.handle === `@${video.username}`;
  if (!fits || video.privacy !== 'PUBLIC_TO_EVERYONE' || video.visibleAt > options.now())
    return { ...page('This video is not available', ''), status: 404 };
  return page(`@${video.username}`, `<p style="white-space:pre-wrap">${escapeHtml(video.title)}</p>`);
}

/** The picture of an account: its first letter on a colour of its own. */
export async function avatar(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const openId = request.params.openId?.replace(/\.svg$/, '') ?? '';
  const account = await options.books.get<Account>('account', openId);
  if (!account) return { status: 404 };
  const letter = escapeHtml([...account.username][0]?.toUpperCase() ?? '');
  const hue = Number.parseInt(openId.slice(0, 4), 16) % 360;
  return {
    status: 200,
    headers: { 'content-type': 'image/svg+xml' },
    body: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="hsl(${hue} 60% 40%)"/><text x="48" y="64" font-family="sans-serif" font-size="48" fill="#fff" text-anchor="middle">${letter}</text></svg>`,
  };
}

export function avatarUrl(options: SimulatorOptions, account: Account): string {
  return `${options.baseUrl}/avatar/${account.openId}.svg`;
}

export function shareUrl(options: SimulatorOptions, video: { username: string; postId: string }): string {
  return `${options.baseUrl}/@${encodeURIComponent(video.username)}/video/${video.postId}`;
}
