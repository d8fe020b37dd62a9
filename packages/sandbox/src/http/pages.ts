/** HTML pages of simulators: the layout of a consent form or a public page. */
import type { SimulatorResponse } from '../contract.ts';

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:26rem;margin:2rem auto;padding:0 1rem}
label,input:not([type=checkbox]){display:block;width:100%;box-sizing:border-box}
input,button{font:inherit;padding:.5rem}input[type=checkbox]{margin-right:.5rem}fieldset{margin:1rem 0}`;

/** Returns a page without scripts. @param body HTML */
export function page(title: string, body: string, status = 200): SimulatorResponse {
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': 'no-store',
    },
    body: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`,
  };
}

/** Returns a page with a text, whose line breaks are kept. */
export function textPage(title: string, text: string): SimulatorResponse {
  return page(title, `<p style="white-space:pre-wrap">${escapeHtml(text)}</p>`);
}

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
