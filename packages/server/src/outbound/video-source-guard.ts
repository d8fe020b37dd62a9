import { networkInterfaces } from 'node:os';
import { type AddressGuard, createAddressGuard } from './address-guard.ts';

/**
 * Decides which addresses a video may be fetched from: https and public only, and not this service or its machine,
 * except for listed hosts.
 * @param allowedHosts `host` or `host:port`, lower case
 * @param publicUrl of this service
 * @param ownAddresses returns the machine's current addresses
 */
export function createSourceGuard(
  allowedHosts: readonly string[],
  publicUrl: string,
  ownAddresses: () => string[] = addressesOfMachine,
): AddressGuard {
  const outside = createAddressGuard(allowedHosts, []);
  const ownName = nameOf(new URL(publicUrl));
  // Only listed hosts may use loopback addresses.
  const isNamed = (url: URL) => outside.allows(url, '127.0.0.1');
  return {
    refuse(url) {
      if (!isNamed(url) && nameOf(url) === ownName) return 'own_address';
      return outside.refuse(url);
    },
    // A request to this machine's public address would bypass the firewall in front of it.
    allows: (url, address) => isNamed(url) || (outside.allows(url, address) && !ownAddresses().includes(address)),
  };
}

/** A trailing dot does not change where a name resolves. */
const nameOf = (url: URL) => url.hostname.replace(/\.$/, '');

function addressesOfMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? []);
}
