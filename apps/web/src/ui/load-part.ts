/** Loads parts of the dashboard: code and texts that are not part of the first load. */

/** A part could not be loaded. */
export class LoadError extends Error {
  /**
   * The service responds, but the part cannot be loaded into this page anymore: the service was updated and no longer
   * has it, or the browser remembers an earlier failure.
   */
  readonly needsReload: boolean;

  constructor(needsReload: boolean, options?: ErrorOptions) {
    super('A part of the page could not be loaded.', options);
    this.needsReload = needsReload;
  }
}

/** How long the service may take to respond, in ms. */
const LIMIT_MS = 5_000;

/**
 * Chromium never requests a module again that it could not load once (https://github.com/whatwg/html/issues/6768).
 * Therefore nothing is imported while the browser is offline, unless the service responds nevertheless.
 * @throws LoadError
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  if (!navigator.onLine && !(await isReachable())) throw new LoadError(false);
  try {
    return await load();
  } catch (cause) {
    throw new LoadError(await isReachable(), { cause });
  }
}

async function isReachable(): Promise<boolean> {
  const request: RequestInit = { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(LIMIT_MS) };
  return fetch(window.location.href, request).then(
    ({ ok }) => ok,
    () => false,
  );
}
