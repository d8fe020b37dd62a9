/** Blocks requests to private addresses and to ports of other services (protection against server-side request forgery). */
import dns from 'node:dns';
import net from 'node:net';
import { isOtherServicesPort } from './blocked-ports.ts';

/** Decides which addresses a connector may reach. */
export interface AddressGuard {
  /** Returns the reason to refuse a URL as written, or null. */
  refuse(url: URL): string | null;
  /** Whether this IP address may be used for the host in `url`. */
  allows(url: URL, address: string): boolean;
}

// Two lists, because a single list matches an IPv4 address in its IPv4-mapped form, which is outside 2000::/3.
const specialIPv4 = new net.BlockList();
const specialIPv6 = new net.BlockList();
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  specialIPv4.addSubnet(address, prefix, 'ipv4');
for (const [address, prefix] of [
  // Everything except 2000::/3, the only IPv6 range with public addresses (IANA, RFC 4291).
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  specialIPv6.addSubnet(address, prefix, 'ipv6');

/** Whether an address is outside all public ranges (IANA special-purpose registries; IPv4-mapped forms included). */
export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return specialIPv4.check(mapped, 'ipv4');
  if (/^::ffff:/i.test(address)) return true;
  return net.isIPv6(address) ? specialIPv6.check(address, 'ipv6') : specialIPv4.check(address, 'ipv4');
}

/**
 * Creates a guard that refuses private addresses and plain HTTP, except for allowed hosts and our own origins. It also
 * refuses ports of other services, unless the host is allowed with its port.
 * @param allowedHosts `host` or `host:port`, lowercase
 * @param ownOrigins origins such as `http://127.0.0.1:3000` that are always allowed
 */
export function createAddressGuard(allowedHosts: readonly string[], ownOrigins: readonly string[]): AddressGuard {
  const named = (url: URL) => ownOrigins.includes(url.origin) || allowedHosts.includes(url.host);
  const exempt = (url: URL) => named(url) || allowedHosts.includes(url.hostname);
  return {
    refuse(url) {
      if (named(url)) return null;
      if (!exempt(url)) {
        if (url.protocol !== 'https:') return 'not_https';
        const literal = url.hostname.replace(/^\[|\]$/g, '');
        if (net.isIP(literal) && isPrivateAddress(literal)) return 'private_address';
      }
      return isOtherServicesPort(url) ? 'port' : null;
    },
    allows: (url, address) => exempt(url) || !isPrivateAddress(address),
  };
}

/** Resolves all addresses of a host name, like `dns.lookup` of Node. */
export type Resolve = (
  hostname: string,
  options: dns.LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: dns.LookupAddress[]) => void,
) => void;

/**
 * Returns a `lookup` for node:http that checks every resolved address. The connection uses exactly the checked
 * addresses, which prevents DNS rebinding.
 */
export function guardedLookup(guard: AddressGuard, url: URL, resolve: Resolve = dns.lookup): net.LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      const usable = found.filter((entry) => guard.allows(url, entry.address));
      const first = usable[0];
      if (!first) {
        const refusal = Object.assign(new Error('The name leads to a private address.'), { code: 'PRIVATE_ADDRESS' });
        return callback(refusal, '', 0);
      }
      if (options.all) return callback(null, usable);
      return callback(null, first.address, first.family);
    });
  };
}
