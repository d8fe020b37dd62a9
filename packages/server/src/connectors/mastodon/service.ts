import { PlatformError } from '../kit/failure.ts';

/**
 * The origin of the server that a person means by "mastodon.social", "@nora@mastodon.social" or an address on it.
 * @throws PlatformError `setup` where it can be none
 */
export function serviceFrom(input: string): string {
  const given = input.trim().replace(/^acct:/i, '');
  const host = /^@?[^@/\s]+@([^@/\s]+)$/.exec(given)?.[1] ?? given;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(host) ? host : `https://${host}`);
  if (url?.protocol !== 'https:' || url.username || url.password || !url.hostname || given === '')
    throw new PlatformError({
      kind: 'setup',
      detail: 'Name the server that the account lives on, for instance mastodon.social.',
    });
  return url.origin;
}

/**
 * The part behind the second @ of a handle. A server may give its accounts a domain above its own host (web host
 * social.example.org, handles @nora@example.org); any other claim is not believed.
 */
export function handleDomain(service: string, claimed: string): string {
  const host = new URL(service).host;
  const domain = claimed.trim().toLowerCase();
  return domain.includes('.') && host.endsWith(`.${domain}`) ? domain : host;
}
