/** The login dialog, where the user selects permissions and Pages. */
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { page } from '../../http/pages.ts';
import { consentForm, isRedirect, refusalPage, sendBack } from '../../oauth/consent.ts';
import { enrolUser, KNOWN_PERMISSIONS } from './records.ts';
import { makeCode, makeGrant } from './tokens.ts';

interface Asked {
  scopes: string[];
  redirectUri: string;
  state: string;
}

export async function showDialog(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const asked = readAsked(request.query, options.app.clientId);
  if (typeof asked === 'string') return sorry(asked);
  const fields = '<label>Pages, parted by commas; none: one of the same name<input name="pages"></label>';
  return page('Log in with Facebook (sandbox)', consentForm(request.query, { fields, scopes: asked.scopes }));
}

/** The form's action contains the query of the dialog. */
export async function takeDialog(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const asked = readAsked(request.query, options.app.clientId);
  if (typeof asked === 'string') return sorry(asked);
  const form = await request.form();
  if (form.get('decision') !== 'allow')
    return back(asked, {
      error: 'access_denied',
      error_code: '200',
      error_description: 'Permissions error',
      error_reason: 'user_denied',
    });
  const names = (form.get('pages') ?? '').split(',').filter((name) => name.trim());
  let enrolled: Awaited<ReturnType<typeof enrolUser>>;
  try {
    enrolled = await enrolUser(options, form.get('username') ?? '', names);
  } catch {
    return sorry('The user name is missing or cannot be one.');
  }
  const scopes = asked.scopes.filter((scope) => scope === 'public_profile' || form.getAll('granted').includes(scope));
  const grantId = await makeGrant(options, {
    userId: enrolled.userId,
    scopes,
    declined: asked.scopes.filter((scope) => !scopes.includes(scope)),
    pageIds: enrolled.pages.map(({ id }) => id),
  });
  return back(asked, { code: await makeCode(options, grantId, asked.redirectUri) });
}

/** Parses the dialog request, or returns the error message for the page. */
function readAsked(query: URLSearchParams, clientId: string): Asked | string {
  if (query.get('client_id') !== clientId)
    return 'Invalid App ID: The provided app ID does not look like a valid app ID.';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isRedirect(redirectUri))
    return "URL Blocked: This redirect failed because the redirect URI is not allowed in the app's settings.";
  if ((query.get('response_type') ?? 'code') !== 'code') return 'response_type: this application uses "code".';
  const scopes = (query.get('scope') ?? '').split(',').filter(Boolean);
  const unknown = scopes.filter((scope) => !KNOWN_PERMISSIONS.includes(scope));
  if (unknown.length > 0) return `Invalid Scopes: ${unknown.join(', ')}.`;
  const state = query.get('state');
  if (!state) return 'state: it is missing.';
  return { scopes: [...new Set(['public_profile', ...scopes])], redirectUri, state };
}

/** The redirect URL ends with `#_=_`, a fragment that browsers do not send. */
function back(asked: Asked, answer: Record<string, string>): SimulatorAnswer {
  return sendBack(asked, answer, '_=_');
}

function sorry(sentence: string): SimulatorAnswer {
  return refusalPage(sentence, 'Sorry, something went wrong.');
}
