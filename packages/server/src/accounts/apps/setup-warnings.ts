/** Why a platform would not work with the address of this service. Pure. */
import { isLoopback } from '../../config/config.ts';
import type { Connector } from '../../connectors/contract.ts';
import { outsideProblem } from './public-reachability.ts';

/**
 * `redirect_https`: the platform redirects only to https. `redirect_localhost`: it does not redirect to `localhost`, but
 * to the IP address. `media_private`: it fetches videos from here, but cannot reach this address.
 */
export const SETUP_WARNINGS = ['redirect_https', 'redirect_localhost', 'media_private'] as const;

export type SetupWarning = (typeof SETUP_WARNINGS)[number];

/** @param publicUrl of this service */
export function setupWarnings(
  { registration, fetchesMedia }: Pick<Connector, 'registration' | 'fetchesMedia'>,
  publicUrl: string,
): SetupWarning[] {
  const { protocol, hostname } = new URL(publicUrl);
  const isHttps = protocol === 'https:';
  const warnings: SetupWarning[] = [];
  const rule = registration?.redirect;
  if (rule === 'https' && (!isHttps || hostname === 'localhost')) warnings.push('redirect_https');
  if (rule === 'https-or-loopback' && !isHttps && !isLoopback(hostname)) warnings.push('redirect_https');
  if (rule === 'no-localhost' && hostname === 'localhost') warnings.push('redirect_localhost');
  if (fetchesMedia && outsideProblem(publicUrl)) warnings.push('media_private');
  return warnings;
}
