/** Reads what simulators need of a request's headers and body. */
import type { SimulatorRequest } from '../contract.ts';

/** The content type in lowercase, without parameters; "" if absent. */
export function mediaType({ headers }: SimulatorRequest): string {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The JSON object in the body. Null for any other body or content type. */
export async function jsonObject(request: SimulatorRequest): Promise<Record<string, unknown> | null> {
  const body = mediaType(request) === 'application/json' ? await request.json() : null;
  return isObject(body) ? body : null;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The token of `Authorization: Bearer`; "" if absent. */
export function bearerToken({ headers }: SimulatorRequest): string {
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}
