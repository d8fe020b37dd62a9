/** Parses server names and handle domains. */
import { PlatformError } from '../../outbound/platform-error.ts';
import { setup } from '../kit/failures.ts';

/**
 * Returns the server's origin from "mastodon.social", "@nora@mastodon.social", or a URL on the server.
 * @throws PlatformError `setup` if the input is not a server
 */
export function serviceFrom(input: string): string {
  const given = input.trim().replace(/^acct:/i, '');
  const host = /^@?[^@/\s]+@([^@/\s]+)$/.exec(given)?.[1] ?? given;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(host) ? host : `https://${host}`);
  if (url?.protocol !== 'https:' || url.username || url.password || !url.hostname || given === '')
    throw new PlatformError(setup('Name the server that the account lives on, for instance mastodon.social.'));
  return url.origin;
}

/**
 * Returns the domain of an account's handle. A server may use a parent domain of its own host (host social.example.org,
 * handles @nora@example.org). Any other claimed domain is ignored.
 */
export function handleDomain(service: string, claimed: string): string {
  const host = new URL(service).host;
  const domain = claimed.trim().toLowerCase();
  return domain.includes('.') && host.endsWith(`.${domain}`) ? domain : host;
}
