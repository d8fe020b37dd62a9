import { isLoopback } from '../config/config.ts';

/** The relying party of WebAuthn: passkeys are bound to its host name, and work on pages of its origin only. */
export interface PasskeyHost {
  name: string;
  origin: string;
}

/**
 * Derives it from the public URL. Browsers accept no IP address, and without https only localhost. On loopback, pages at
 * an address have another origin than those at localhost, so their passkeys are those of localhost. Pure.
 * @returns null if browsers do not allow passkeys there
 */
export function passkeyHost(publicUrl: string): PasskeyHost | null {
  const url = new URL(publicUrl);
  const isAddress = url.hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(url.hostname);
  if (isLoopback(url.hostname)) {
    const name = isAddress ? 'localhost' : url.hostname;
    return { name, origin: `${url.protocol}//${name}${url.port && `:${url.port}`}` };
  }
  return isAddress || url.protocol !== 'https:' ? null : { name: url.hostname, origin: url.origin };
}
