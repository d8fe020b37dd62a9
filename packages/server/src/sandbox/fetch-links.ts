import { Readable } from 'node:stream';
import type { SimulatorOptions } from '@reelay/sandbox/contract.ts';
import { type MediaLinkDeps, openLink } from '../media/links/open.ts';

/**
 * Creates the fetch function of simulators. It serves only this service's links, so that simulators cannot be directed
 * elsewhere. It runs in this process, so that it does not depend on where PUBLIC_URL leads.
 */
export function fetchLinks(deps: MediaLinkDeps, publicUrl: string): SimulatorOptions['fetch'] {
  return async (url, headers = {}) => {
    const address = URL.canParse(url) ? new URL(url) : null;
    if (!address || address.origin !== new URL(publicUrl).origin) return null;
    const found = await openLink(deps, address.pathname, headers, 'GET').catch(() => null);
    if (!found) return { status: 404, headers: {}, body: Readable.from([]) };
    const answered = Object.entries(found.headers).map(([name, value]) => [name, String(value)] as const);
    return { status: found.status, headers: Object.fromEntries(answered), body: found.body ?? Readable.from([]) };
  };
}
