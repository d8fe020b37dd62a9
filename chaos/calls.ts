/** Calls of the API, repeated until the service gives a definite answer. */
import { setTimeout as pause } from 'node:timers/promises';

export interface ApiResponse {
  status: number;
  /** Number of requests. If there were several, an earlier one may have had an effect without a response. */
  attempts: number;
}

const MAX_ATTEMPTS = 600;
const ATTEMPT_MS = 30_000;

/** @throws Error if there is no definite answer in time */
export async function call(
  { url, key }: { url: string; key: string },
  method: string,
  path: string,
  body?: () => object,
): Promise<ApiResponse> {
  const headers = { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) };
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts++) {
    const request = { method, headers, signal: AbortSignal.timeout(ATTEMPT_MS) };
    const response = await fetch(`${url}/api/v1${path}`, {
      ...request,
      ...(body ? { body: JSON.stringify(body()) } : {}),
    }).catch(() => null);
    const isWhole = await response?.text().then(
      () => true,
      () => false,
    );
    if (response && isWhole && response.status < 500 && response.status !== 429)
      return { status: response.status, attempts };
    await pause(200);
  }
  throw new Error(`${method} ${path} was not answered in time.`);
}
