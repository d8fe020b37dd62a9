/** The consent page. Any user may log in under any user name. */
import type { Route, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { escapeHtml, page } from '../../http/pages.ts';
import { addCode } from '../../oauth/codes.ts';
import { sendBack } from '../../oauth/consent.ts';
import { Refused } from '../../refused.ts';
import { MINUTE } from '../../time.ts';
import { routesOf } from './access.ts';
import { newSecret, splitScopes, within } from './apps.ts';
import { type App, accountNamed, type Code, type World } from './state.ts';

const ASKED = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;

export function consentRoutes(world: World): Route[] {
  const route = routesOf(world);
  return [route('GET', '/oauth/authorize', showConsent), route('POST', '/oauth/authorize', decide)];
}

async function showConsent(world: World, { query }: SimulatorRequest): Promise<SimulatorResponse> {
  const app = await checkedApp(world, query);
  return page(titleOf(app), form(world, app, query, ''));
}

/**
 * Validates the request and returns its application. Errors go to the user as a page, or back to the application as a
 * redirect.
 * @throws Refused
 */
async function checkedApp(world: World, asked: URLSearchParams): Promise<App> {
  const app = await world.options.store.get<App>('app', asked.get('client_id') ?? '');
  if (!app) throw new Refused(problem(401, 'Client authentication failed due to unknown client.'));
  if (!app.redirectUris.includes(asked.get('redirect_uri') ?? ''))
    throw new Refused(problem(400, 'The redirect uri included is not valid.'));
  const refuse = (error: string, description: string) =>
    new Refused(back(asked, { error, error_description: description }));
  if (asked.get('response_type') !== 'code')
    throw refuse('unsupported_response_type', 'The authorization server does not support this response type.');
  if (!within(app, splitScopes(asked.get('scope') ?? 'read')))
    throw refuse('invalid_scope', 'The requested scope is invalid, unknown, or malformed.');
  if (asked.has('code_challenge') && asked.get('code_challenge_method') !== 'S256')
    throw refuse('invalid_code_challenge_method', 'The code challenge method must be S256.');
  return app;
}

async function decide(world: World, request: SimulatorRequest): Promise<SimulatorResponse> {
  const given = await request.form();
  const app = await checkedApp(world, given);
  if (given.get('decision') !== 'allow')
    return back(given, {
      error: 'access_denied',
      error_description: 'The resource owner or authorization server denied the request.',
    });
  const username = (given.get('username') ?? '').trim();
  if (!/^[a-z0-9_]{1,30}$/i.test(username))
    return page(titleOf(app), form(world, app, given, 'A user name has letters, digits and "_", 30 at most.'), 422);
  const account = await accountNamed(world, username);
  const granted = {
    clientId: app.clientId,
    accountId: account.id,
    redirectUri: given.get('redirect_uri') ?? '',
    scopes: splitScopes(given.get('scope') ?? 'read'),
    challenge: given.get('code_challenge'),
  };
  return back(given, { code: await addCode<Code>(world.options, newSecret(), 10 * MINUTE, granted) });
}

/** Redirects the browser to the application. */
function back(asked: URLSearchParams, result: Record<string, string>): SimulatorResponse {
  return sendBack({ redirectUri: asked.get('redirect_uri') ?? '', state: asked.get('state') }, result);
}

const titleOf = ({ name }: App) => `${name} wants to use your account`;

function form(world: World, _app: App, asked: URLSearchParams, trouble: string): string {
  const hidden = ASKED.filter((name) => asked.has(name)).map(
    (name) => `<input type="hidden" name="${name}" value="${escapeHtml(asked.get(name) ?? '')}">`,
  );
  const scopes = splitScopes(asked.get('scope') ?? 'read').map((scope) => `<li>${escapeHtml(scope)}</li>`);
  return `<p>This is a simulated Mastodon server (${escapeHtml(world.domain)}). The application asks for:</p>
<ul>${scopes.join('')}</ul>
${trouble && `<p role="alert">${escapeHtml(trouble)}</p>`}
<form method="post" action="${escapeHtml(`${world.options.baseUrl}/oauth/authorize`)}">
${hidden.join('\n')}
<p><label>User name <input name="username" value="${escapeHtml(asked.get('username') ?? '')}" autocomplete="off"></label></p>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>
</form>`;
}

function problem(status: number, sentence: string): SimulatorResponse {
  return page('An error has occurred', `<p>${escapeHtml(sentence)}</p>`, status);
}
