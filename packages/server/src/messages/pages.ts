/**
 * The texts of the pages for browsers. Texts may contain HTML, and parameters must be escaped unless the text is
 * escaped as a whole, as titles are.
 */
import { messagesOf } from './message.ts';

const PAGE_TEXTS = {
  // In place of a dashboard that is not built.
  home: 'Posts one short vertical video to many social media accounts, exactly once.',
  home_not_built: 'The dashboard is not built. Run <code>npm start</code>, which builds it.',
  home_reference: '<a href="/docs">API reference</a>',
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
  minute_ago: '1 minute ago',
  minutes_ago: '{minutes} minutes ago',

  // The selection of accounts and their settings.
  select_title: 'Select accounts',
  select_lead: '{platform} returned several accounts. Select the accounts that you want to post to.',
  select_legend: 'Accounts at {platform}',
  select_connected: 'already connected',
  settings_title: 'Choose a setting',
  settings_lead: '{platform} requires this setting before you can post. You can change it later.',
  settings_legend: 'Account at {platform}',
  setting_label: 'Choose {setting}:',
  setting_later: 'choose later',
  select_connect: 'Connect',

  // Results.
  connected_title: 'Connected',
  connected: '{names} is connected. You can close this window.',
  not_connected_title: '{platform} was not connected',
  nothing_connected_title: 'Nothing was connected',
  reference: 'Reference: {id}',
  document_title: 'Not found',
  document: 'There is no document with this name.',
  unconfirmed_title: 'Confirmation failed',
  unconfirmed: 'Open the link again and confirm on that page. Cookies must be enabled.',
} as const;

export const pageText = messagesOf(PAGE_TEXTS);

/** The service's own refusals while an account is connected. They are shown as pages and recorded in attempts. */
export const CONSENT_REFUSALS = {
  ticket_used: [410, 'This link is no longer valid', 'It was already used or has expired. Start again.'],
  other_user: [
    403,
    'This link belongs to another user',
    'It would allow another user to post to your account. If someone sent it to you, close this page.',
  ],
  sign_in_first: [
    403,
    'You are not signed in',
    'Open this link in the browser in which you are signed in to Reelay. If you did not request it yourself, close this page.',
  ],
  canceled: [200, 'Nothing was connected', 'You canceled. The link is no longer valid.'],
  sign_in_unknown: [400, 'Unknown or expired sign-in', 'This link was already used or has expired. Start again.'],
  other_browser: [
    400,
    'This was started in another browser',
    'Continue in that browser, or start again in this one. Cookies must be enabled.',
  ],
  sign_in_used: [400, 'This sign-in was already completed', 'Check your connected accounts, or start again.'],
  timed_out: [410, 'The sign-in timed out', 'Complete it within ten minutes. Start again.'],
  none_selected: [400, 'No account is selected', 'Go back and select at least one account.'],
} as const satisfies Record<string, readonly [status: number, title: string, reason: string]>;
