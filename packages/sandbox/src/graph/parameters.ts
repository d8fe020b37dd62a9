/** Parameters of Graph API calls. */
import type { SimulatorRequest } from '../contract.ts';
import { isObject } from '../http/parameters.ts';
import type { Json, JsonObject } from '../json.ts';

export type Parameters = ReadonlyMap<string, string>;

/** All parameters of a call: the query, overridden by the body, which may be a form or JSON. */
export async function parametersOf(request: SimulatorRequest): Promise<Parameters> {
  const found = new Map(request.query);
  if (request.method === 'GET' || request.method === 'HEAD') return found;
  for (const [name, value] of await request.form()) found.set(name, value);
  const body = request.headers['content-type']?.startsWith('application/json') ? await request.json() : null;
  for (const [name, value] of Object.entries(isObject(body) ? body : {}))
    found.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  return found;
}

/** The access token of a call; "" if absent. */
export function tokenIn({ headers }: SimulatorRequest, parameters: Parameters): string {
  return parameters.get('access_token') ?? /^(?:Bearer|OAuth) (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

/** Names of the requested fields: `id,picture.type(large){url}` yields `id` and `picture`. */
export function fieldsIn(text: string): string[] {
  const fields: string[] = [];
  let depth = 0;
  let current = '';
  for (const letter of `${text},`) {
    if (letter === ',' && depth === 0) {
      fields.push(/^\s*(\w+)/.exec(current)?.[1] ?? current.trim());
      current = '';
      continue;
    }
    if (letter === '{' || letter === '(') depth++;
    if (letter === '}' || letter === ')') depth--;
    current += letter;
  }
  return fields.filter(Boolean);
}

/** The requested fields of an object, and its id. Fields without a value are omitted. @param refuse throws the error */
export function pickFields(
  all: Readonly<Record<string, Json | undefined>>,
  fields: readonly string[],
  refuse: (unknownField: string) => never,
): JsonObject {
  const unknown = fields.find((field) => !Object.hasOwn(all, field));
  if (unknown !== undefined) refuse(unknown);
  const found = ['id', ...fields].map((field) => [field, all[field]] as const);
  return Object.fromEntries(found.filter((pair): pair is [string, Json] => pair[1] !== undefined));
}

/** Maximum number of entries on a page: `limit`, from 1 to 100. */
export function limitIn(parameters: Parameters): number {
  return Math.min(Math.max(1, Math.trunc(Number(parameters.get('limit') ?? 25)) || 25), 100);
}

/** The time of a parameter in seconds, in ms since the epoch. */
export function timeIn(parameters: Parameters, name: 'since' | 'until'): number {
  const absent = name === 'since' ? 0 : Number.POSITIVE_INFINITY;
  return Number(parameters.get(name) ?? absent) * 1000;
}
