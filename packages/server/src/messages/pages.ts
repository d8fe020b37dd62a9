/**
 * The texts of the pages for browsers. Texts may contain HTML, and parameters must be escaped unless the text is
 * escaped as a whole, as titles are.
 */
import { type Message, messagesOf } from './message.ts';

export const PAGE_TEXTS = {
  // In place of pages that are not built.
  home: 'Posts one short vertical video to many social media accounts, exactly once.',
  home_not_built: 'The dashboard and the API reference are not built. Run <code>npm start</code>, which builds them.',
  home_document: '<a href="/api/v1/openapi.json">OpenAPI document</a> of this service',
  home_sandbox: '<a href="/sandbox">Sandbox</a>: posts on the simulated platforms',

  // The confirmation before an account is connected.
  confirm_title: 'Connect your {platform} account?',
  confirm_lead:
    'Reelay asks to connect <strong>your {platform} account</strong> to the Reelay user <strong>{user}</strong>. This user will be able to post to it.',
  confirm_sandbox: 'This is the sandbox: {platform} is simulated, and nothing is published.',
  confirm_user: 'Reelay user',
  confirm_requested: 'Requested',
  confirm_account: 'Account',
  confirm_server: 'Server',
  confirm_warning:
    '<strong>Did someone send you this link?</strong> Then choose Cancel. Continue only if you are {user} and requested this yourself.',
  confirm_continue: 'Continue to {platform}',
  confirm_cancel: 'Cancel',
  just_now: 'just now',
  minutes_ago: '{minutes} {minutes|minute|minutes} ago',

  // The selection of accounts and their settings.
  select_title: 'Select accounts',
  select_lead: '{platform} returned several accounts. Select the accounts that you want to post to.',
  select_legend: 'Accounts at {platform}',
  select_connected: 'already connected',
  settings_title: 'Finish connecting {platform}',
  settings_lead: 'One question before {platform} is connected. You can change the answer later.',
  setting_label: 'Choose {setting}:',
  setting_later: 'Ask me for every post',
  select_connect: 'Connect',

  // Results.
  connected_title: 'Connected',
  connected: '{names} is connected.',
  not_connected_title: '{platform} was not connected',
  nothing_connected_title: 'Nothing was connected',
  reference: 'Reference: {id}',
  failed_title: 'This page could not be opened',
  missing_title: 'Page not found',
  missing: 'The link may be incomplete, or the page was deleted.',
  missing_way: 'Open the dashboard',
  back: 'To your accounts in Reelay',
  document: 'There is no document with this name.',
  unconfirmed_title: 'Confirmation failed',
  unconfirmed: 'Open the link again and confirm on that page. Cookies must be enabled.',
} as const;

export const pageText = messagesOf(PAGE_TEXTS, {}, 'page.');

/** Refusals while an account is connected, each with its title. */
export const REFUSAL_TEXTS = {
  whole: '{title}. {reason}',
  ticket_used_title: 'This link is no longer valid',
  ticket_used: 'It was already used or has expired. Start again.',
  other_user_title: 'This link belongs to another user',
  other_user: 'It would allow another user to post to your account. If someone sent it to you, close this page.',
  sign_in_first_title: 'You are not signed in',
  sign_in_first:
    'Open this link in the browser in which you are signed in to Reelay. If you did not request it yourself, close this page.',
  canceled_title: 'Nothing was connected',
  canceled: 'You canceled. The link is no longer valid.',
  sign_in_unknown_title: 'Unknown or expired sign-in',
  sign_in_unknown: 'This link was already used or has expired. Start again.',
  other_browser_title: 'This was started in another browser',
  other_browser: 'Continue in that browser, or start again in this one. Cookies must be enabled.',
  sign_in_used_title: 'This sign-in was already completed',
  sign_in_used: 'Check your connected accounts, or start again.',
  timed_out_title: 'The sign-in timed out',
  timed_out: 'Complete it within ten minutes. Start again.',
  none_selected_title: 'No account is selected',
  none_selected: 'Go back and select at least one account.',
} as const;

const refusal = messagesOf(REFUSAL_TEXTS, {}, 'refusal.');

export interface ConsentRefusal {
  status: number;
  title: Message;
  reason: Message;
}

type RefusalName = Exclude<keyof typeof REFUSAL_TEXTS, 'whole' | `${string}_title`>;

const refusalOf = (status: number, name: RefusalName): ConsentRefusal => ({
  status,
  title: refusal(`${name}_title`),
  reason: refusal(name),
});

/** The service's own refusals while an account is connected. They are shown as pages and recorded in attempts. */
export const CONSENT_REFUSALS = {
  ticket_used: refusalOf(410, 'ticket_used'),
  other_user: refusalOf(403, 'other_user'),
  sign_in_first: refusalOf(403, 'sign_in_first'),
  canceled: refusalOf(200, 'canceled'),
  sign_in_unknown: refusalOf(400, 'sign_in_unknown'),
  other_browser: refusalOf(400, 'other_browser'),
  sign_in_used: refusalOf(400, 'sign_in_used'),
  timed_out: refusalOf(410, 'timed_out'),
  none_selected: refusalOf(400, 'none_selected'),
} as const;

/** Title and reason of a refusal in one message. */
export const wholeRefusal = ({ title, reason }: ConsentRefusal): Message => refusal('whole', { title, reason });
