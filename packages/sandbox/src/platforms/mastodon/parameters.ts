/** Parses request parameters from JSON or form bodies. */
import type { SimulatorRequest } from '../../contract.ts';

/** Parameters of a JSON body or a form, as strings. Lists keep their order. */
export interface Parameters {
  /** Returns a parameter, or undefined. */
  one(name: string): string | undefined;
  /** Returns the values of a list (`media_ids` in JSON, `media_ids[]` in a form), or of a single value. */
  many(name: string): string[];
}

/** Parses the body; without one there are no parameters. */
export async function parametersOf(request: SimulatorRequest): Promise<Parameters> {
  const values = new Map<string, string[]>();
  if (/json/i.test(request.headers['content-type'] ?? '')) {
    const body = await request.json();
    if (body !== null && typeof body === 'object')
      for (const [name, value] of Object.entries(body))
        if (value !== null && value !== undefined)
          values.set(name, (Array.isArray(value) ? value : [value]).map(String));
  } else {
    for (const [name, value] of await request.form()) {
      const plain = name.replace(/\[\]$/, '');
      values.set(plain, [...(values.get(plain) ?? []), value]);
    }
  }
  return { one: (name) => values.get(name)?.[0], many: (name) => values.get(name) ?? [] };
}
