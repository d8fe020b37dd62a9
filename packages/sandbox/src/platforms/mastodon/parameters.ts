/** Parses request parameters from JSON or form bodies. */
import type { SimulatorRequest } from '../../contract.ts';
import { isObject } from '../../http/parameters.ts';

/** Parameters of a JSON body or a form, as strings. Lists keep their order. */
export interface Parameters {
  /** Returns a parameter, or undefined. An object's are named with a dot: `poll.expires_in`. */
  one(name: string): string | undefined;
  /** Returns the values of a list (`media_ids` in JSON, `media_ids[]` in a form), or of a single value. */
  many(name: string): string[];
}

/** Parses the body; without one there are no parameters. */
export async function parametersOf(request: SimulatorRequest): Promise<Parameters> {
  if (/json/i.test(request.headers['content-type'] ?? '')) return parametersFrom(entriesOf(await request.json(), ''));
  return parametersFrom(await request.form());
}

/** @param entries names as in a form: `media_ids[]`, `poll[options][]` */
export function parametersFrom(entries: Iterable<readonly [name: string, value: string]>): Parameters {
  const values = new Map<string, string[]>();
  for (const [name, value] of entries) {
    const plain = name.replace(/\[(\w*)\]/g, (_found, part: string) => (part ? `.${part}` : ''));
    values.set(plain, [...(values.get(plain) ?? []), value]);
  }
  return { one: (name) => values.get(name)?.[0], many: (name) => values.get(name) ?? [] };
}

function entriesOf(value: unknown, name: string): [string, string][] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((one) => entriesOf(one, name));
  if (!isObject(value)) return name ? [[name, String(value)]] : [];
  return Object.entries(value).flatMap(([part, one]) => entriesOf(one, name ? `${name}.${part}` : part));
}
