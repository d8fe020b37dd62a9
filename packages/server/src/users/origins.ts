/** The origins that requests with side effects may come from. */
import { isLoopback } from '../config/config.ts';

/** The public origin. On loopback also its other names, because browsers treat them as different origins. */
export function originsOf(publicUrl: string): string[] {
  const url = new URL(publicUrl);
  if (!isLoopback(url.hostname)) return [url.origin];
  const port = url.port === '' ? '' : `:${url.port}`;
  return ['localhost', '127.0.0.1', '[::1]'].map((host) => `${url.protocol}//${host}${port}`);
}

/**
 * Checks where a request comes from. Programs send no origin, and no cookie of a browser.
 * @returns the code of the refusal; null if the request is allowed
 */
export function refuseOrigin(
  publicUrl: string,
  header: (name: string) => string | undefined,
): 'INVALID_ORIGIN' | 'MISSING_OR_NULL_ORIGIN' | null {
  const origin = header('origin') ?? URL.parse(header('referer') ?? '')?.origin;
  if (origin !== undefined && origin !== 'null') return originsOf(publicUrl).includes(origin) ? null : 'INVALID_ORIGIN';
  return header('cookie') ? 'MISSING_OR_NULL_ORIGIN' : null;
}
