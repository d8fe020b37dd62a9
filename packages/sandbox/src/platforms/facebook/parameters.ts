/** Parses the parameters of Graph API calls. */
import type { SimulatorRequest } from '../../contract.ts';

/** All parameters of a call: the query, overridden by the body, which may be a form or JSON. */
export async function parametersOf(request: SimulatorRequest): Promise<Map<string, string>> {
  const found = new Map(request.query);
  if (request.method === 'GET' || request.method === 'HEAD') return found;
  for (const [name, value] of await request.form()) found.set(name, value);
  if (!request.headers['content-type']?.startsWith('application/json')) return found;
  const body = await request.json();
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return found;
  for (const [name, value] of Object.entries(body))
    if (['string', 'number', 'boolean'].includes(typeof value)) found.set(name, String(value));
  return found;
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

/** One page of a list with its cursors. @param next builds the URL of the next page from its cursor */
export function paged<T>(
  all: readonly T[],
  parameters: Map<string, string>,
  next: (after: string) => string,
): { data: T[]; paging?: { cursors: { before: string; after: string }; next?: string } } {
  const limit = Math.min(Math.max(1, Math.trunc(Number(parameters.get('limit') ?? 25)) || 25), 100);
  const from = Number(Buffer.from(parameters.get('after') ?? '', 'base64url').toString() || 0) || 0;
  const data = all.slice(from, from + limit);
  if (data.length === 0) return { data };
  const cursor = (index: number) => Buffer.from(String(index)).toString('base64url');
  const after = cursor(from + data.length);
  const more = from + data.length < all.length;
  return { data, paging: { cursors: { before: cursor(from), after }, ...(more ? { next: next(after) } : {}) } };
}
