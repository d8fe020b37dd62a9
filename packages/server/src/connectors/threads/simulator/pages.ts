import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../kit/simulator.ts';
import type { Media, Profile } from './records.ts';

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

export function permalinkOf(options: SimulatorOptions, username: string, code: string): string {
  return `${options.baseUrl}/@${encodeURIComponent(username)}/post/${code}`;
}

/** Public page of one post. */
export async function postPage(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const id = await options.books.get<string>('byCode', request.params.code ?? '');
  const media = id === undefined ? undefined : await options.books.get<Media>('media', id);
  if (!media) return page('Post not found', '', 404);
  const profile = await options.books.get<Profile>('profile', media.profileId);
  return page(`@${profile?.username ?? ''}`, `<p style="white-space:pre-wrap">${escapeHtml(media.text)}</p>`);
}

/** The picture of a profile: its first letter on a colour of its own. */
export async function picture(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const found = await options.books.get<Profile>('profile', request.params.id?.replace(/\.svg$/, '') ?? '');
  if (!found) return { status: 404 };
  const letter = escapeHtml([...found.username][0]?.toUpperCase() ?? '');
  const hue = Number(found.id.slice(-4)) % 360;
  return {
    status: 200,
    headers: { 'content-type': 'image/svg+xml' },
    body: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="hsl(${hue} 60% 40%)"/><text x="48" y="64" font-family="sans-serif" font-size="48" fill="#fff" text-anchor="middle">${letter}</text></svg>`,
  };
}
