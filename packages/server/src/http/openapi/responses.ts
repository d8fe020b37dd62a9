/** Error responses that operations share, which the OpenAPI document contains once. */
import type { OpenApiDocument, OperationObject, Reference, ResponseObject } from './types.ts';

const PREFIX = '#/components/responses/';

type Paths = OpenApiDocument['paths'];

/**
 * Moves each error response that occurs more than once to the components.
 * @returns equivalent paths, and the components by name, sorted
 * @throws Error if two different responses would have one name
 */
export function shareResponses(paths: Paths): { paths: Paths; responses: Record<string, ResponseObject> } {
  const counts = new Map<string, number>();
  for (const [, response] of errorsOf(paths)) {
    const text = JSON.stringify(response);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const shared = new Map<string, ResponseObject>();
  const share = (status: string, response: ResponseObject): ResponseObject | Reference => {
    const text = JSON.stringify(response);
    if ((counts.get(text) ?? 0) < 2) return response;
    const name = nameOf(status, response);
    if (JSON.stringify(shared.get(name) ?? response) !== text) throw new Error(`Two responses are named ${name}.`);
    shared.set(name, response);
    return { $ref: PREFIX + name };
  };
  const shortened = mapOperations(paths, (operation) => ({
    ...operation,
    responses: mapValues(operation.responses, (response, status) =>
      isError(status) && !isReference(response) ? share(status, response) : response,
    ),
  }));
  return {
    paths: shortened,
    responses: Object.fromEntries([...shared].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/** The response that a reference names, or the response itself. @throws Error for a name without a component */
export function resolveResponse(
  { components }: Pick<OpenApiDocument, 'components'>,
  response: ResponseObject | Reference,
): ResponseObject {
  if (!isReference(response)) return response;
  const found = components.responses[response.$ref.slice(PREFIX.length)];
  if (!found) throw new Error(`Unknown response ${response.$ref}.`);
  return found;
}

/** Says the status, whether it has no rate limit headers, and the codes; without codes, the schema. */
function nameOf(status: string, { headers, content }: ResponseObject): string {
  const [media] = Object.values(content ?? {});
  const codes = Object.keys(media?.examples ?? {});
  const schema = String(media?.schema.$ref ?? '')
    .split('/')
    .at(-1);
  return [status, ...('RateLimit-Limit' in headers ? [] : ['unlimited']), ...(codes.length > 0 ? codes : [schema])]
    .filter(Boolean)
    .join('-');
}

const isError = (status: string) => Number(status) >= 400;
const isReference = (response: ResponseObject | Reference): response is Reference => '$ref' in response;

function errorsOf(paths: Paths): [string, ResponseObject | Reference][] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return operations.flatMap(({ responses }) => Object.entries(responses)).filter(([status]) => isError(status));
}

function mapOperations(paths: Paths, change: (operation: OperationObject) => OperationObject): Paths {
  return mapValues(paths, (methods) => mapValues(methods, change));
}

function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value, key: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
