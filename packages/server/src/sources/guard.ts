import { networkInterfaces } from 'node:os';
import { type AddressGuard, createAddressGuard } from '../connectors/kit/address-guard.ts';

/**
 * Decides which addresses a video may be fetched from: https and public only, and nothing of this service or of the
 * machine that it runs on, but for named hosts.
 * @param allowedHosts `host` or `host:port`, lower case
 * @param publicUrl of this service
 * @param ownAddresses of this machine, as they are when they are asked for
 */
export function createSourceGuard(
  allowedHosts: readonly string[],
  publicUrl: string,
  ownAddresses: () => string[] = addressesOfMachine,
): AddressGuard {
  const outside = createAddressGuard(allowedHosts, []);
  const ownName = nameOf(new URL(publicUrl));
  // Only named hosts may be on loopback.
  const isNamed = (url: URL) => outside.allows(url, '127.0.0.1');
  return {
    refuse(url) {
      if (!isNamed(url) && nameOf(url) === ownName) return 'own_address';
      return outside.refuse(url);
    },
    // A public address of this machine leads past the firewall that stands in front of it.
    allows: (url, address) => isNamed(url) || (outside.allows(url, address) && !ownAddresses().includes(address)),
  };
}

/** A final dot changes nothing about where a name leads. */
const nameOf = (url: URL) => url.hostname.replace(/\.$/, '');

function addressesOfMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? []);
}
