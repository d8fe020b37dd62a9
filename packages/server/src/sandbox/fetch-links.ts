import { Readable } from 'node:stream';
import type { SimulatorOptions } from '../connectors/kit/simulator.ts';
import { type LinksNeeds, openLink } from '../links/open.ts';

/**
 * How simulators fetch: links of this service alone, so that nobody can send them elsewhere, and without leaving the
 * process, so that it works wherever PUBLIC_URL leads.
 */
export function fetchLinks(needs: LinksNeeds, publicUrl: string): SimulatorOptions['fetch'] {
  return async (url, headers = {}) => {
    const address = URL.canParse(url) ? new URL(url) : null;
    if (!address || address.origin !== new URL(publicUrl).origin) return null;
    const found = await openLink(needs, address.pathname, headers, 'GET').catch(() => null);
    if (!found) return { status: 404, headers: {}, body: Readable.from([]) };
    const answered = Object.entries(found.headers).map(([name, value]) => [name, String(value)] as const);
    return { status: found.status, headers: Object.fromEntries(answered), body: found.body ?? Readable.from([]) };
  };
}
