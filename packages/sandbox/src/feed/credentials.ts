/** The page with the credentials of the simulated applications and accounts, for clients of one's own. Pure functions. */
import type { SimulatedAccount } from '../contract.ts';
import { escapeHtml } from '../http/pages.ts';
import { layout } from './layout.ts';

export interface CredentialsPage {
  /** The application that every platform knows. */
  app: { clientId: string; clientSecret: string };
  platforms: readonly string[];
  /** The account that was asked for. */
  account?: { platform: string } & SimulatedAccount;
  error?: string;
}

export const MAX_USERNAME = 64;

/** Renders the page. */
export function credentialsPage({ app, platforms, account, error }: CredentialsPage): string {
  const alert = error === undefined ? '' : `<p role="alert">${escapeHtml(error)}</p>`;
  const cards = [
    ...(account ? [card(`${account.username} at ${account.platform}`, accountFields(account))] : []),
    card('Application', { 'Client ID': app.clientId, 'Client secret': app.clientSecret }, APP_NOTE),
    card('Account', {}, `${ACCOUNT_NOTE}${alert}${form(platforms, account?.platform)}`),
  ];
  return layout('Sandbox credentials', HEADER, cards.join('\n'));
}

function accountFields({ remoteId, tokenAnswer, credentials }: SimulatedAccount): Record<string, string> {
  const tokens = Object.entries(tokenAnswer ?? {}).filter(([name]) => name.endsWith('token'));
  return {
    'Account ID': remoteId,
    ...(credentials && { Login: credentials.identifier, 'App password or bot token': credentials.secret }),
    ...Object.fromEntries(tokens.map(([name, value]) => [name, String(value)])),
  };
}

function card(title: string, fields: Record<string, string>, note = ''): string {
  const list = Object.entries(fields).map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd><code>${escapeHtml(value)}</code></dd>`,
  );
  return `<article><h2>${escapeHtml(title)}</h2>${list.length > 0 ? `<dl>${list.join('')}</dl>` : ''}${note}</article>`;
}

function form(platforms: readonly string[], chosen?: string): string {
  const options = platforms.map((name) => {
    const selected = name === chosen ? ' selected' : '';
    return `<option${selected}>${escapeHtml(name)}</option>`;
  });
  return `<form method="post" action="/sandbox/credentials">
<label>Platform <select name="platform">${options.join('')}</select></label>
<label>User name <input name="username" required maxlength="${MAX_USERNAME}" autocomplete="off"></label>
<button>Show credentials</button>
</form>`;
}

const HEADER = `<p>Use these with your own client. They work only at the simulated platforms of this machine.</p>
<p><a href="/sandbox">Feed</a></p>`;
const APP_NOTE = `<p class="text">Registered at every platform with OAuth.</p>`;
const ACCOUNT_NOTE = `<p class="text">Creates the account if the platform does not have it.</p>`;
