/** The consent page. Threads has no PKCE. */
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { page } from '../../http/pages.ts';
import { consentForm, isRedirect, refusalPage, sendBack } from '../../oauth/consent.ts';
import { enrolProfile, KNOWN_SCOPES } from './records.ts';
import { makeCode, makeGrant } from './tokens.ts';

interface Asked {
  scopes: string[];
  redirectUri: string;
  state: string;
}

export async function showConsent(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const asked = readAsked(request.query, options.app.clientId);
  if (typeof asked === 'string') return refusalPage(asked);
  const form = consentForm(request.query, { scopes: asked.scopes, fixed: ['threads_basic'] });
  return page('Continue to Threads (sandbox)', form);
}

/** The form's action contains the query of the page. */
export async function takeConsent(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const asked = readAsked(request.query, options.app.clientId);
  if (typeof asked === 'string') return refusalPage(asked);
  const form = await request.form();
  if (form.get('decision') !== 'allow')
    return back(asked, {
      error: 'access_denied',
      error_reason: 'user_denied',
      error_description: 'The user denied your request',
    });
  let profileId: string;
  try {
    profileId = (await enrolProfile(options, form.get('username') ?? '')).id;
  } catch {
    return refusalPage('The user name is missing or cannot be one.');
  }
  const granted = asked.scopes.filter((scope) => scope === 'threads_basic' || form.getAll('granted').includes(scope));
  const grantId = await makeGrant(options, profileId, granted);
  return back(asked, { code: await makeCode(options, grantId, asked.redirectUri) });
}

/** Parses the authorization request, or returns the error message for the page. */
function readAsked(query: URLSearchParams, clientId: string): Asked | string {
  if (query.get('client_id') !== clientId) return 'client_id: there is no such application.';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isRedirect(redirectUri)) return 'redirect_uri: it is missing or not allowed.';
  if (query.get('response_type') !== 'code') return 'response_type: it must be "code".';
  const scopes = (query.get('scope') ?? '').split(',').filter(Boolean);
  if (!scopes.includes('threads_basic')) return 'scope: threads_basic is always needed.';
  if (!scopes.every((scope) => KNOWN_SCOPES.includes(scope))) return 'scope: separate known scopes by commas.';
  const state = query.get('state');
  return state ? { scopes: [...new Set(scopes)], redirectUri, state } : 'state: it is missing.';
}

/** The redirect URL ends with `#_`, a fragment that browsers do not send. */
function back(asked: Asked, answer: Record<string, string>): SimulatorAnswer {
  return sendBack(asked, answer, '_');
}
