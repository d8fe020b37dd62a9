/** What the list calls have in common: `part`, pages, and the envelope. */
import type { Json, JsonObject } from '../../contract.ts';
import type { SimulatorAnswer, SimulatorRequest } from '../../kit/simulator.ts';
import { refuse } from './answers.ts';

/** The parts asked for; null where there are none or one is not known. */
export function partsOf(request: SimulatorRequest, known: readonly string[]): string[] | null {
  const parts = (request.query.get('part') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  return parts.length > 0 && parts.every((part) => known.includes(part)) ? parts : null;
}

/** A parameter of the query that the call does not have, or null. */
export function strayParameter(request: SimulatorRequest, known: readonly string[]): string | null {
  return [...request.query.keys()].find((name) => !known.includes(name)) ?? null;
}

export function badRequest(message: string): SimulatorAnswer {
  return refuse('badRequest', message, { status: 'INVALID_ARGUMENT' });
}

/** The parts of a resource that were asked for, and what every resource has. */
export function resource(kind: string, id: string, all: Record<string, Json>, parts: readonly string[]): JsonObject {
  const shown = Object.fromEntries(parts.flatMap((part) => (part === 'id' ? [] : [[part, all[part] ?? null]])));
  return { kind: `youtube#${kind}`, etag: `e-${id}`, id, ...shown };
}

/** @param items absent: none are there, not even an empty list */
export function listAnswer(kind: string, items: JsonObject[] | null, page: JsonObject = {}): SimulatorAnswer {
  const pageInfo = { totalResults: items?.length ?? 0, resultsPerPage: items?.length ?? 5 };
  const body = { kind: `youtube#${kind}`, etag: 'e', pageInfo, ...page, ...(items ? { items } : {}) };
  return { status: 200, headers: { 'cache-control': 'private' }, body };
}
