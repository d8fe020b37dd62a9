/** Response builders: the envelope of the v2 data endpoints and the flat format of the OAuth endpoints. */
import { randomBytes } from 'node:crypto';
import type { SimulatorOptions, SimulatorResponse } from '../../contract.ts';
import { at, type JsonObject } from '../../json.ts';

/** HTTP status by error code (error tables of the Content Posting and Display APIs). */
const STATUS = {
  access_token_invalid: 401,
  scope_not_authorized: 401,
  scope_permission_missed: 401,
  rate_limit_exceeded: 429,
  invalid_params: 400,
  invalid_file_upload: 400,
  invalid_publish_id: 400,
  token_not_authorized_for_specified_publish_id: 400,
  publish_not_cancellable: 400,
  spam_risk_too_many_posts: 403,
  spam_risk_user_banned_from_posting: 403,
  reached_active_user_cap: 403,
  unaudited_client_can_only_post_to_private_accounts: 403,
  url_ownership_unverified: 403,
  privacy_level_option_mismatch: 403,
  unsupported_path: 404,
} as const;
export type Code = keyof typeof STATUS;

type OAuthCode = 'invalid_client' | 'invalid_grant' | 'invalid_request' | 'unsupported_grant_type';

type Clock = Pick<SimulatorOptions, 'now'>;

/** An error as a value, so that validation is separate from responses. */
export interface Refusal {
  code: Code;
  message: string;
}

export function ok(options: Clock, data: JsonObject): SimulatorResponse {
  return { status: 200, body: { data, error: { code: 'ok', message: '', log_id: logId(options) } } };
}

/** @param status overrides the table: `creator_info` rejects with 200 */
export function refuse(options: Clock, code: Code, message: string, status: number = STATUS[code]): SimulatorResponse {
  return { status, body: { data: {}, error: { code, message, log_id: logId(options) } } };
}

export function invalidToken(options: Clock): SimulatorResponse {
  return refuse(options, 'access_token_invalid', 'The access token is invalid or not found in the request.');
}

export function rateLimited(options: Clock): SimulatorResponse {
  return refuse(options, 'rate_limit_exceeded', 'The API rate limit was exceeded. Please try again later.');
}

/** An internal error of the platform. */
export function failed(options: Clock, status: 500 | 503): SimulatorResponse {
  const error = { code: 'internal_error', message: 'Something went wrong. Please try again.', log_id: logId(options) };
  return { status, body: { data: {}, error } };
}

/** An OAuth error, which TikTok sends with HTTP 200. */
export function refuseOAuth(options: Clock, error: OAuthCode, description: string): SimulatorResponse {
  return { status: 200, body: { error, error_description: description, log_id: logId(options) } };
}

/**
 * Like {@link ok}, but with 64-bit integers as bare numbers.
 * @param bare properties whose text is inserted without quotes
 */
export function okWithBare(options: Clock, data: JsonObject, bare: Record<string, string>): SimulatorResponse {
  const { body } = ok(options, { ...data, ...bare });
  let text = JSON.stringify(body);
  for (const [name, value] of Object.entries(bare))
    text = text.replace(`${JSON.stringify(name)}:${JSON.stringify(value)}`, `${JSON.stringify(name)}:${value}`);
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: text };
}

/** The string at a path, or undefined. */
export function stringAt(value: unknown, ...path: string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

function logId(options: Clock): string {
  const time = new Date(options.now()).toISOString().replace(/\D/g, '').slice(0, 14);
  return `${time}${randomBytes(10).toString('hex').toUpperCase()}`;
}
