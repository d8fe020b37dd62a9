/** Loads parts of the dashboard: code and texts that are not part of the first load. */

/** The error of a part that could not be loaded. */
export class LoadError extends Error {
  /**
   * The service responds, but this page cannot load the part without a reload: the service was updated and no longer
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
 * Chromium never retries a failed module import (https://github.com/whatwg/html/issues/6768).
 * Therefore no import starts while the browser is offline, unless the service responds.
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
