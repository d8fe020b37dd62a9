/**
 * Known browsers (OWASP's device cookies). A browser that has signed a user in gets a signed cookie, and its attempts
 * for that user have a separate limit. So strangers who use up an account's attempts do not lock out its owner. The
 * cookie proves nothing else: the password is still required.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const LIFETIME_S = 365 * 24 * 3600;
/** Maximum header size that the HTTP server accepts, in bytes. */
const MAX_COOKIES = 16_384;

export interface KnownBrowsers {
  /** Returns the browser id from a Cookie header for this user; null if missing or forged. */
  find(cookies: string, email: string): string | null;
  /** Builds the Set-Cookie header that makes a browser known. */
  remember(email: string): string;
  /** Returns a key for rate limits that identifies a user without the email address. */
  account(email: string): string;
}

/** @param options.secure whether the service is reachable only over HTTPS */
export function createKnownBrowsers({ key, secure }: { key: Buffer; secure: boolean }): KnownBrowsers {
  const name = `${secure ? '__Host-' : ''}reelay.browser`;
  const sign = (email: string, id: string) =>
    createHmac('sha256', key).update(`known browser ${id} ${email.toLowerCase()}`).digest('base64url');
  return {
    find(cookies, email) {
      const found = cookies
        .slice(0, MAX_COOKIES)
        .split(';')
        .map((each) => each.trim())
        .find((each) => each.startsWith(`${name}=`));
      const [id, signature] = found?.slice(name.length + 1).split('.') ?? [];
      if (!id || id.length > 32 || !signature) return null;
      const wanted = Buffer.from(sign(email, id));
      const given = Buffer.from(signature);
      return given.length === wanted.length && timingSafeEqual(given, wanted) ? id : null;
    },
    remember(email) {
      const id = randomBytes(12).toString('base64url');
      const attributes = `Max-Age=${LIFETIME_S}; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
      return `${name}=${id}.${sign(email, id)}; ${attributes}`;
    },
    account: (email) =>
      createHmac('sha256', key).update(`account ${email.toLowerCase()}`).digest('base64url').slice(0, 22),
  };
}
