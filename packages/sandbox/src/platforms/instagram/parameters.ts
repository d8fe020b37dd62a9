/** Parses the parameters of Graph API calls from the query, a form or JSON. */
import type { SimulatorRequest } from '../../contract.ts';

export type Parameters = ReadonlyMap<string, string>;

export async function parametersOf(request: SimulatorRequest): Promise<Parameters> {
  const found = new Map<string, string>(request.query);
  if (request.method === 'GET' || request.method === 'DELETE') return found;
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded')
    for (const [name, value] of await request.form()) found.set(name, value);
  if (type === 'application/json') {
    const body = await request.json();
    if (body !== null && typeof body === 'object')
      for (const [name, value] of Object.entries(body))
        found.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return found;
}

/** The requested fields; `a,b{c,d}` yields a and b. Returns `fallback` if none are requested. */
export function fieldsOf(parameters: Parameters, fallback: readonly string[]): string[] {
  const asked = (parameters.get('fields') ?? '').replace(/\{[^{}]*\}/g, '').split(',');
  const named = asked.map((field) => field.trim()).filter(Boolean);
  return named.length > 0 ? named : [...fallback];
}

/** The inner fields of a requested field: c and d of `b{c,d}`. */
export function innerFields(parameters: Parameters, field: string): string[] {
  const [, inner = ''] = new RegExp(`(?:^|,)${field}\\{([^}]*)\\}`).exec(parameters.get('fields') ?? '') ?? [];
  return inner.split(',').filter(Boolean);
}

/**
 * The requested fields of an object, always with its id. Returns null if a field is unknown, which fails the whole
 * call.
 */
export function pick<T>(all: Record<string, T>, fields: readonly string[]): Record<string, T> | null {
  if (!fields.every((field) => Object.hasOwn(all, field))) return null;
  const wanted = fields.includes('id') || !Object.hasOwn(all, 'id') ? fields : [...fields, 'id'];
  return Object.fromEntries(wanted.map((field) => [field, all[field] as T]));
}
