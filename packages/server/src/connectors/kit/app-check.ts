/** Asks a platform, without a user, whether an application's id and secret are valid. */
import { randomBytes } from 'node:crypto';
import { say } from '../../messages/connect.ts';
import type { Message } from '../../messages/message.ts';
import { type HttpResponse, NetworkError } from '../../outbound/http-client.ts';
import { at, textAt } from './json.ts';
import { tameWords } from './words.ts';

/** An application that the operator registered at a platform. */
export interface App {
  clientId: string;
  clientSecret: string;
}

/** `verified` only if the platform's response proves it. */
export interface AppCheck {
  verdict: 'verified' | 'rejected' | 'unverified';
  /** Contains the platform's own words, and never the secret. */
  message: Message;
}

/** An error of a token endpoint: its code, or a pattern of its message. */
type TokenError = string | RegExp;

/** A request to the token endpoint that needs no user, and its possible results. A token always proves the secret. */
export interface AppProbe {
  /** `GET` sends the parameters in the query. Defaults to `POST`. */
  method?: 'GET';
  /** Parameters besides the id and the secret. */
  form: Readonly<Record<string, string>>;
  /** Errors that concern the id or the secret. */
  rejected: readonly TokenError[];
  /**
   * Errors that concern only the rest of the request. They prove the secret only if the platform rejects a wrong secret
   * in the same request, so that is sent as well.
   */
  accepted?: readonly TokenError[];
}

/** An exchange of an invalid token: the standard error is `invalid_grant` (RFC 6749, 5.2). */
export const INVALID_REFRESH = { grant_type: 'refresh_token', refresh_token: 'invalid' } as const;

/** An access token for the application itself (RFC 6749, 4.4). */
export const CLIENT_CREDENTIALS = { grant_type: 'client_credentials' } as const;

/**
 * @param platform its name, for the message
 * @param send sends the probe with this application @throws NetworkError
 */
export async function probeApp(
  platform: string,
  { rejected, accepted = [] }: Pick<AppProbe, 'rejected' | 'accepted'>,
  app: App,
  send: (app: App) => Promise<HttpResponse>,
): Promise<AppCheck> {
  const verified: AppCheck = { verdict: 'verified', message: say('application_verified', { platform }) };
  try {
    const response = await send(app);
    if (hasToken(response)) return verified;
    const words = wordsOf(response, app);
    const isOneOf = (errors: readonly TokenError[], found: HttpResponse) => matches(errors, errorOf(found));
    if (isOneOf(rejected, response))
      return { verdict: 'rejected', message: say('application_rejected', { platform, words }) };
    if (isOneOf(accepted, response)) {
      const wrong = await send({ ...app, clientSecret: randomBytes(16).toString('hex') });
      if (isOneOf(rejected, wrong)) return verified;
    }
    return { verdict: 'unverified', message: say('application_unverified', { platform, words }) };
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    const message = say('application_unreachable', { platform, reason: error.reason });
    return { verdict: 'unverified', message };
  }
}

function hasToken(response: HttpResponse): boolean {
  return response.status < 300 && textAt(response.tryJson(), 'access_token') !== '';
}

/** Reads the standard form, the Graph API's (`error.code`), and a flat one (`code` and `message`). */
function errorOf(response: HttpResponse): { code: string; message: string } {
  const body = response.tryJson();
  const error = at(body, 'error');
  if (typeof error === 'string') return { code: error, message: textAt(body, 'error_description') };
  if (error) return { code: textAt(error, 'code'), message: textAt(error, 'message') };
  return { code: textAt(body, 'code'), message: textAt(body, 'error_message') || textAt(body, 'message') };
}

function matches(errors: readonly TokenError[], { code, message }: { code: string; message: string }): boolean {
  return errors.some((error) => (typeof error === 'string' ? error === code : error.test(message)));
}

/** The platform's words, or its status. A platform may repeat what it was sent. */
function wordsOf(response: HttpResponse, { clientId, clientSecret }: App): string {
  const { code, message } = errorOf(response);
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const secrets = [clientSecret, encodeURIComponent(clientSecret), basic];
  const words = [message, code].filter(Boolean).join(' · ');
  const shown = tameWords(secrets.reduce((text, secret) => text.replaceAll(secret, '…'), words));
  return shown || `HTTP ${response.status}`;
}
