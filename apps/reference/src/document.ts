/** The part of OpenAPI 3.1 and JSON Schema that the service's document uses. */
export interface JsonSchema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  examples?: readonly unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  readOnly?: boolean;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: JsonSchema;
}

export interface MediaType {
  schema: JsonSchema;
  example?: unknown;
  examples?: Readonly<Record<string, { $ref?: string; value?: unknown }>>;
}

export interface ResponseHeader {
  $ref?: string;
  description?: string;
  required?: boolean;
  schema?: JsonSchema;
}

export interface ResponseObject {
  description: string;
  headers?: Readonly<Record<string, ResponseHeader>>;
  content?: Readonly<Record<string, MediaType>>;
}

/** Names a component. */
export interface Reference {
  $ref: string;
}

export interface OperationObject {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  security?: readonly Readonly<Record<string, unknown>>[];
  parameters?: readonly Parameter[];
  servers?: readonly { url: string }[];
  requestBody?: { required?: boolean; content: Readonly<Record<string, MediaType>> };
  responses: Readonly<Record<string, ResponseObject | Reference>>;
}

export interface ApiDocument {
  info: { title: string; version: string; description: string };
  servers: readonly { url: string }[];
  tags: readonly { name: string; description: string }[];
  security: readonly Readonly<Record<string, unknown>>[];
  paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  components: {
    securitySchemes: Readonly<Record<string, { description?: string }>>;
    headers: Readonly<Record<string, ResponseHeader>>;
    examples: Readonly<Record<string, { value?: unknown }>>;
    responses: Readonly<Record<string, ResponseObject>>;
    schemas: Readonly<Record<string, JsonSchema>>;
  };
}

/** Path of the document, which is public. */
export const DOCUMENT_PATH = '/api/v1/openapi.json';

/**
 * Reads the document of the service that served the page.
 * @throws Error if the service does not respond, or with something else
 */
export async function readDocument(signal: AbortSignal): Promise<ApiDocument> {
  const response = await fetch(DOCUMENT_PATH, { signal });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
  return (await response.json()) as ApiDocument;
}

/** The schema that `$ref` names, with the description next to the `$ref`, and the name. */
export function resolve(
  { components }: ApiDocument,
  { $ref, ...beside }: JsonSchema,
): { schema: JsonSchema; name: string | null } {
  if ($ref === undefined) return { schema: beside, name: null };
  const name = $ref.slice($ref.lastIndexOf('/') + 1);
  return { schema: { ...(Object.hasOwn(components.schemas, name) ? components.schemas[name] : {}), ...beside }, name };
}
