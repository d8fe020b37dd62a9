/** Describes sign-in operations in the OpenAPI document. */
import { z } from 'zod';
import { AUTH_PATH } from '../../users/auth-route.ts';
import type { SignInDescription, SignInOperation } from '../sign-in-operation.ts';
import { convert } from './schema.ts';
import { SHARED_RESPONSE_HEADERS } from './shared.ts';
import type { JsonSchema, OpenApiDocument, OperationObject, ParameterObject, ResponseObject } from './types.ts';

export const SIGN_IN_TAG = {
  name: 'Session',
  description: 'Sign-in. Operations that require a signed-in user reject API keys with `session_required`.',
};

/** An operation with a description. */
type DescribedSignIn = SignInOperation & { document: SignInDescription };

/**
 * @param server where `/api/auth` is served: an origin, or `/`
 * @param schemas components; new ones are added to it
 */
export function signInPaths(
  operations: readonly SignInOperation[],
  server: string,
  schemas: Record<string, JsonSchema>,
): OpenApiDocument['paths'] {
  const described = operations.filter((each): each is DescribedSignIn => each.document !== undefined);
  return Object.fromEntries(
    described.map((each) => [AUTH_PATH + each.path, { [each.method.toLowerCase()]: describe(each, server, schemas) }]),
  );
}

const SECURITY: Readonly<Record<SignInDescription['session'], JsonSchema[]>> = {
  none: [],
  optional: [{ session: [] }, {}],
  required: [{ session: [] }],
};

const ORIGIN: ParameterObject = {
  name: 'Origin',
  in: 'header',
  required: false,
  description: 'The origin of this service. Required if a cookie is sent; browsers add it automatically.',
  schema: { type: 'string' },
};

function describe(
  { id, method, guards, document }: DescribedSignIn,
  server: string,
  schemas: Record<string, JsonSchema>,
): OperationObject {
  const { summary, description, session, body, success } = document;
  const json = (schema: z.ZodType, io: 'input' | 'output') => ({
    'application/json': { schema: convert(schema, io, schemas) },
  });
  const cookie = success.cookie && { 'Set-Cookie': { description: success.cookie, schema: { type: 'string' } } };
  const takesBody = method === 'POST';
  return {
    operationId: id,
    summary,
    description,
    security: SECURITY[session],
    ...(takesBody ? { parameters: [ORIGIN] } : {}),
    ...(body ? { requestBody: { required: !body.safeParse({}).success, content: json(body, 'input') } } : {}),
    tags: [SIGN_IN_TAG.name],
    servers: [{ url: server }],
    responses: {
      '200': {
        description: success.description,
        headers: { ...SHARED_RESPONSE_HEADERS.always, ...cookie },
        content: json(success.content, 'output'),
      },
      ...Object.fromEntries(
        Object.entries(REFUSALS)
          .filter(([, { when }]) => when === 'always' || (when === 'body' ? takesBody : guards !== null))
          .map(([status, refusal]) => [status, { ...refusalOf(refusal), content: json(error, 'output') }]),
      ),
    },
  };
}

const error = z
  .object({
    success: z.literal(false),
    code: z.string().meta({ description: 'As in other errors, or a code that only sign-in uses.' }),
    message: z.string(),
  })
  .meta({ id: 'SignInError' });

interface Refusal {
  /** Which operations respond with it: all, those with a body, or those with a guard. */
  when: 'always' | 'body' | 'guard';
  description: string;
  waits?: true;
}

/** By status. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  '400': { when: 'always', description: 'The request is invalid.' },
  '401': {
    when: 'guard',
    description: '`invalid_email_or_password`: the email address or the password is wrong.',
  },
  '403': {
    when: 'always',
    description:
      '`account_suspended`, `second_factor_required`, `https_required`, or the request comes from a page of another origin.',
  },
  '413': { when: 'body', description: '`body_too_large`: the body is too large.' },
  '415': { when: 'body', description: '`unsupported_media_type`: send JSON.' },
  '429': {
    when: 'guard',
    description: '`rate_limited`: too many failed attempts from this IP address.',
    waits: true,
  },
  '500': { when: 'always', description: '`internal_error`: internal error.' },
  '503': { when: 'always', description: '`database_unavailable`, `starting` or `draining`.', waits: true },
};

function refusalOf({ description, waits }: Refusal): Pick<ResponseObject, 'description' | 'headers'> {
  const headers = { ...SHARED_RESPONSE_HEADERS.always, ...(waits ? SHARED_RESPONSE_HEADERS.waiting : {}) };
  return { description, headers };
}
