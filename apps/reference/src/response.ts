/** What the document says about responses. Pure functions. */
import type { ApiDocument, MediaType, ResponseObject } from './document.ts';
import { exampleOf } from './example.ts';

export interface ErrorCode {
  code: string;
  message: string;
}

/** The codes of an error response with their messages; empty if the document lists none. */
export function codesOf({ components }: ApiDocument, { content = {} }: ResponseObject): ErrorCode[] {
  return Object.values(content).flatMap(({ examples = {} }) =>
    Object.entries(examples).map(([code, { $ref = '', value }]) => {
      const name = $ref.slice($ref.lastIndexOf('/') + 1);
      const body = value ?? (Object.hasOwn(components.examples, name) ? components.examples[name]?.value : undefined);
      const { message } = (body ?? {}) as { message?: unknown };
      return { code, message: typeof message === 'string' ? message : '' };
    }),
  );
}

export function headersOf({ components }: ApiDocument, { headers = {} }: ResponseObject) {
  return Object.entries(headers).map(([name, header]) => {
    const target = header.$ref?.slice(header.$ref.lastIndexOf('/') + 1) ?? '';
    const shared = Object.hasOwn(components.headers, target) ? components.headers[target] : undefined;
    return { name, description: header.description ?? shared?.description ?? '' };
  });
}

/** An example of a JSON body, indented; undefined for other types. */
export function successExample(
  document: ApiDocument,
  type: string,
  { schema, example }: MediaType,
): string | undefined {
  if (type !== 'application/json') return undefined;
  return JSON.stringify(example ?? exampleOf(document, schema), null, 2);
}
