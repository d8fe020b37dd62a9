/** What a browser is shown: the consent form's frame, spotlights, pictures. */
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../kit/simulator.ts';
import type { Profile, Spotlight } from './records.ts';

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

/** Public page of a spotlight; there is none for one that was rejected. */
export async function spotlightPage(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const spotlight = await options.books.get<Spotlight>('spotlight', request.params.id ?? '');
  if (!spotlight || spotlight.rejected) return page('This Snap is not there', '', 404);
  return page('Spotlight', `<p style="white-space:pre-wrap">${escapeHtml(spotlight.caption)}</p>`);
}

/** The picture of a profile: its first letter. */
export async function avatar(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const profile = await options.books.get<Profile>('profile', request.params.id?.replace(/\.svg$/, '') ?? '');
  if (!profile) return { status: 404 };
  const letter = escapeHtml([...profile.username][0]?.toUpperCase() ?? '');
  return {
    status: 200,
    headers: { 'content-type': 'image/svg+xml' },
    body: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="#cc0"/><text x="48" y="64" font-family="sans-serif" font-size="48" fill="#000" text-anchor="middle">${letter}</text></svg>`,
  };
}

export const avatarUrl = ({ baseUrl }: SimulatorOptions, { id }: Profile) => `${baseUrl}/avatar/${id}.svg`;
export const spotlightUrl = ({ baseUrl }: SimulatorOptions, id: string) => `${baseUrl}/spotlight/${id}`;
