/** HTML of the authorization server's pages. */
import { escapeHtml } from '../../http/pages.ts';

/** Returns the consent page, as plain HTML without scripts. */
export function consentPage(given: {
  action: string;
  client: string;
  scopes: string[];
  hint: string;
  hidden: Record<string, string>;
}): string {
  const hidden = Object.entries(given.hidden)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('');
  const scopes = given.scopes.map((scope) => `<li><code>${escapeHtml(scope)}</code></li>`).join('');
  return page(
    'Authorize',
    `<h1>Bluesky (sandbox)</h1>
<p><strong>${escapeHtml(given.client)}</strong> asks for access to your simulated account.</p>
<ul>${scopes}</ul>
<form method="post" action="${escapeHtml(given.action)}">${hidden}
<label>Sign in as <input name="username" value="${escapeHtml(given.hint)}" autocomplete="username" required autofocus></label>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny" formnovalidate>Deny</button></p>
</form>`,
  );
}

/** Returns a page with one sentence, for errors and posts. */
export function plainPage(title: string, text: string): string {
  return page(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:28rem;margin:10vh auto;padding:0 1rem}
input,button{font:inherit;padding:.5rem .75rem}label input{display:block;width:100%;box-sizing:border-box;margin-top:.25rem}</style>
</head><body>${body}</body></html>`;
}
