/** The steps of connect attempts, notes about connected accounts, and problems of the platform configuration. */
import { messagesOf } from './message.ts';

export const CONNECT_TEXTS = {
  requested_by: 'Requested by {actor}.',
  redirected: 'Redirected the browser to {origin}.',
  code_received: '{platform} returned the browser with a code.',
  code_exchanged: 'Exchanged the code for tokens.',
  scopes_granted: 'Granted: {scopes}.',
  scopes_unknown: '{platform} did not state the granted scopes.',
  accounts_found: 'Found: {names}.',
  accounts_selected: 'Selected: {names}.',
  login_accepted: '{platform} accepted the login.',
  accounts_connected: 'Connected: {names}.',

  // Why a platform cannot reach this service.
  host_private: '{host} is reachable only on this machine or in its local network',
  not_https: 'it is not https',

  service_unreachable: '{platform} downloads videos from this service but cannot reach it: {problem}.',
  platform_unreachable: '{platform} cannot be reached at {host} ({reason}).',
  answer_useless: 'no sensible answer',
  variables_repeat: 'These variables have the same meaning: {variables}. Set only one of them.',
  variables_mixed: 'These variables do not belong together: {variables}. Set either {app}, or {client}.',

  // Whether an application is valid.
  application_verified: '{platform} accepts the id and the secret.',
  application_rejected: '{platform} rejects the id or the secret: {words}',
  application_unverified: '{platform} does not confirm the id and the secret: {words}',
  application_unreachable: '{platform} could not be reached ({reason}).',
  application_not_verifiable: '{platform} verifies applications only when an account is connected.',

  with_code: '{reason} ({code})',

  // Notes.
  plan_full: 'Your plan does not allow the other accounts.',
  setting_not_allowed: 'This account does not allow “{value}” for {setting}. Allowed: {allowed}.',
  setting_required: 'To choose for every post, or once in the settings of the account: {setting}.',
} as const;

export const say = messagesOf(CONNECT_TEXTS, {}, 'connect.');
