/** Shared by the list calls: `part`, pagination and the response envelope. */

import type { SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { Refused } from '../../http/refused.ts';
import type { Json, JsonObject } from '../../json.ts';
import { refuse } from './answers.ts';

/** The requested parts; null if there are no parts or an unknown one. */
export function partsOf(request: SimulatorRequest, known: readonly string[]): string[] | null {
  const parts = (request.query.get('part') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  return parts.length > 0 && parts.every((part) => known.includes(part)) ? parts : null;
}

/** @throws Refused if a query parameter is unknown */
export function onlyParameters(request: SimulatorRequest, known: readonly string[]): void {
  const unknown = [...request.query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Refused(badRequest(`Unknown name "${unknown}".`));
}

export function badRequest(message: string): SimulatorResponse {
  return refuse('badRequest', message, { status: 'INVALID_ARGUMENT' });
}

/** The requested parts of a resource, plus the fields that every resource has. */
export function resource(kind: string, id: string, all: Record<string, Json>, parts: readonly string[]): JsonObject {
  const shown = Object.fromEntries(parts.flatMap((part) => (part === 'id' ? [] : [[part, all[part] ?? null]])));
  return { kind: `youtube#${kind}`, etag: `e-${id}`, id, ...shown };
}

/** @param items null omits `items` entirely, instead of returning an empty list */
export function listResponse(kind: string, items: JsonObject[] | null, page: JsonObject = {}): SimulatorResponse {
  const pageInfo = { totalResults: items?.length ?? 0, resultsPerPage: items?.length ?? 5 };
  const body = { kind: `youtube#${kind}`, etag: 'e', pageInfo, ...page, ...(items ? { items } : {}) };
  return { status: 200, headers: { 'cache-control': 'private' }, body };
}
