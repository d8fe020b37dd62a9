/** Parses and validates request parameters. */
import type { z } from 'zod';
import type { SimulatorRequest } from '../../contract.ts';
import { mediaType } from '../../http/parameters.ts';
import { Refused } from '../../refused.ts';
import { invalid } from './problems.ts';

/** Parses a list parameter, all of whose values must be known. @throws Refused */
export function listOf(query: URLSearchParams, name: string, known: readonly string[]): string[] {
  const given = query.get(name);
  if (given === null) return [];
  const values = given.split(',');
  if (values.every((value) => known.includes(value))) return values;
  const message = `The \`${name}\` query parameter value [${given}] is not one of [${known.join(',')}]`;
  throw new Refused(invalid(message, { [name]: values }));
}

/** Parses an integer within bounds, or returns the default. @throws Refused */
export function numberOf(query: URLSearchParams, name: string, bounds: [number, number], absent: number): number {
  const given = query.get(name);
  if (given === null) return absent;
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (value >= bounds[0] && value <= bounds[1]) return value;
  throw new Refused(
    invalid(`The \`${name}\` query parameter value [${given}] is not between ${bounds[0]} and ${bounds[1]}`, {
      [name]: [given],
    }),
  );
}

/** Rejects unknown query parameters. @throws Refused */
export function rejectUnknown(query: URLSearchParams, known: readonly string[]): void {
  for (const name of query.keys())
    if (!known.includes(name))
      throw new Refused(invalid(`The query parameter [${name}] is not one of [${known.join(',')}]`, { [name]: [] }));
}

/** Parses a JSON body with a JSON content type. @throws Refused */
export async function readBody<T>(request: SimulatorRequest, schema: z.ZodType<T>): Promise<T> {
  return parseBody(mediaType(request) === 'application/json' ? await request.text() : '', schema);
}

/** Parses a JSON body. @throws Refused */
export function parseBody<T>(text: string, schema: z.ZodType<T>): T {
  const body = parseJson(text);
  if (body === null || typeof body !== 'object')
    throw new Refused(invalid('Requests with bodies must have content-type of application/json and be valid JSON.'));
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refused(invalid(`$.${issue?.path.join('.')}: ${issue?.message}`));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
