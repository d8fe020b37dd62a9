/** Types for the part of OpenAPI 3.1 that our document uses. */
export type JsonSchema = { [key: string]: unknown };

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: JsonSchema;
  servers: { url: string; description?: string }[];
  tags: { name: string; description: string }[];
  security: JsonSchema[];
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    securitySchemes: JsonSchema;
    headers: Record<string, JsonSchema>;
    examples: Record<string, JsonSchema>;
    responses: Record<string, ResponseObject>;
    schemas: Record<string, JsonSchema>;
  };
}

export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: JsonSchema[];
  parameters?: ParameterObject[];
  /** Set if the operation is not below the base URL. */
  servers?: { url: string }[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, ResponseObject | Reference>;
}

export interface ParameterObject {
  name: string;
  in: 'query' | 'path' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

/** Names a component. */
export interface Reference {
  $ref: string;
}

export interface ResponseObject {
  description: string;
  headers: Record<string, JsonSchema>;
  content?: Record<string, { schema: JsonSchema; example?: unknown; examples?: JsonSchema }>;
}
