/** Messages that are part of the messages of errors. */
import { messagesOf } from './message.ts';

/** Names of plan limits in {@link ERROR_MESSAGES}, in the form that follows their value. */
export const LIMIT_UNITS = {
  posts_per_month: '{value|post|posts} per month',
  connected_accounts: 'connected {value|account|accounts}',
  rules: '{value|rule|rules}',
  scheduled_ahead: '{value|post|posts} scheduled ahead',
} as const;

/** Parts of the messages about videos from URLs. */
export const SOURCE_TEXTS = {
  no_redirect: '',
  after_redirect: ' (after a redirect)',
  after_redirects: ' (after {hops} redirects)',
  json: 'JSON',
  xml: 'XML',
  text: 'text',
} as const;

export const sourceText = messagesOf(SOURCE_TEXTS, {}, 'source.');

export const unitOf = messagesOf(LIMIT_UNITS, {}, 'unit.');
