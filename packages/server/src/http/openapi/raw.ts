/** Describes raw routes in the OpenAPI document. */
import { type ErrorCode, ReelayError } from '../../errors/reelay-error.ts';
import type { RawDescription, RawHeader, RawRoute } from '../raw.ts';
import { refusals, SHARED_RESPONSE_HEADERS } from './shared.ts';
import type { JsonSchema, OperationObject, ParameterObject, ResponseObject } from './types.ts';

/** A route with a description. */
export type DescribedRoute = RawRoute & { document: RawDescription };

export function isDescribed(route: RawRoute): route is DescribedRoute {
  return route.document !== undefined;
}

/** The errors that a route can return, after {@link RawRoute.refuseAs}. */
function refusalsOf({ open, writes, document, refuseAs }: DescribedRoute): ReelayError[] {
  const codes: ErrorCode[] = [
    ...document.errors,
    ...(open ? [] : AUTHENTICATED),
    ...(!open && writes ? (['csrf_required'] as const) : []),
    ...(['invalid_request', 'https_required', 'internal_error', 'starting', 'draining'] as const),
  ];
  return codes.map((code) => new ReelayError(code)).map((refusal) => refuseAs?.(refusal) ?? refusal);
}

/** The codes of these errors. */
export function rawErrorCodesOf(route: DescribedRoute): ErrorCode[] {
  return [...new Set(refusalsOf(route).map(({ code }) => code))];
}

const AUTHENTICATED = [
  'unauthorized',
  'rate_limited',
  'account_suspended',
  'api_access_not_in_plan',
  'database_unavailable',
] as const;

export function describeRaw(route: DescribedRoute): OperationObject {
  const { method, path, open, writes, document } = route;
  const { id, tag, summary, description, bodyType, success } = document;
  const parameters = [...pathParameters(path), ...headerParameters(document, !open && writes)];
  const fixed = Object.keys(route.headers).map((name) => [headerName(name), { schema: { type: 'string' } }] as const);
  const own = Object.entries(success.headers).map(([name, header]) => [name, responseHeader(header)] as const);
  const shared = { ...SHARED_RESPONSE_HEADERS.always, ...(open ? {} : SHARED_RESPONSE_HEADERS.limited) };
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: open ? [] : [{ apiKey: [] }, { session: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(bodyType
      ? { requestBody: { required: true, content: { [bodyType]: { schema: { type: 'string', format: 'binary' } } } } }
      : {}),
    responses: {
      [success.status]: {
        description: success.description,
        headers: { ...shared, ...Object.fromEntries([...fixed, ...own]) },
      },
      ...withoutBody(method, refusals(refusalsOf(route), { limited: !open })),
    },
  };
}

function pathParameters(path: string): ParameterObject[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function headerParameters({ requestHeaders = {} }: RawDescription, csrf: boolean): ParameterObject[] {
  const headers: Record<string, RawHeader> = {
    ...requestHeaders,
    ...(csrf ? { 'X-Reelay-CSRF': { description: '`1`. Required with a session, ignored with a key.' } } : {}),
  };
  return Object.entries(headers).map(([name, { description, required = false, schema }]) => ({
    name,
    in: 'header',
    required,
    description,
    schema: schema ?? { type: 'string' },
  }));
}

function responseHeader({ description, required = false, schema }: RawHeader): JsonSchema {
  return { description, ...(required ? { required } : {}), schema: schema ?? { type: 'string' } };
}

/** Capitalizes a header name as the protocol writes it: `tus-resumable` → `Tus-Resumable`. */
function headerName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

function withoutBody(method: string, responses: Record<string, ResponseObject>): Record<string, ResponseObject> {
  if (method !== 'HEAD') return responses;
  return Object.fromEntries(
    Object.entries(responses).map(([status, { content: _, ...response }]) => [status, response]),
  );
}
