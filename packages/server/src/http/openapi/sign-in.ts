/** The part of `/api/auth` that a client needs to obtain a session, for the OpenAPI document. */
import { z } from 'zod';
import { timestamp } from '../operation.ts';
import { convert } from './schema.ts';
import { SHARED_RESPONSE_HEADERS } from './shared.ts';
import type { JsonSchema, OpenApiDocument, OperationObject, ParameterObject, ResponseObject } from './types.ts';

export const SIGN_IN_TAG = {
  name: 'Session',
  description: 'Sign-in. Operations that require a signed-in user reject API keys with `session_required`.',
};

/** Name of the session cookie; over HTTPS it has the prefix `__Host-`. */
export const SESSION_COOKIE = 'reelay.session_token';

const user = z.object({ id: z.uuid(), email: z.string(), name: z.string() }).meta({ id: 'SignedInUser' });

const error = z
  .object({
    success: z.literal(false),
    code: z.string().meta({ description: 'As in other errors, or a code that only sign-in uses.' }),
    message: z.string(),
  })
  .meta({ id: 'SignInError' });

const credentials = z
  .object({
    email: z.string(),
    password: z.string(),
    rememberMe: z
      .boolean()
      .optional()
      .meta({ description: 'false: the session ends with the browser. Default: true.' }),
  })
  .meta({ id: 'SignIn' });

const REFUSALS: Record<string, readonly [description: string, ...headers: JsonSchema[]]> = {
  '400': ['The request is invalid.'],
  '401': ['`invalid_email_or_password`: the email address or the password is wrong.'],
  '403': [
    '`account_suspended`, `second_factor_required`, `https_required`, or the request comes from a page of another origin.',
  ],
  '413': ['`body_too_large`: the body is too large.'],
  '415': ['`unsupported_media_type`: send JSON.'],
  '429': ['`rate_limited`: too many failed attempts from this IP address.', SHARED_RESPONSE_HEADERS.waiting],
  '500': ['`internal_error`: internal error.'],
  '503': ['`database_unavailable`, `starting` or `draining`.', SHARED_RESPONSE_HEADERS.waiting],
};

/**
 * @param server where `/api/auth` is served: an origin, or `/`
 * @param schemas components; new ones are added to it
 */
export function signInPaths(server: string, schemas: Record<string, JsonSchema>): OpenApiDocument['paths'] {
  const json = (schema: z.ZodType, io: 'input' | 'output') => ({
    'application/json': { schema: convert(schema, io, schemas) },
  });
  const describe = (
    operation: Pick<
      OperationObject,
      'operationId' | 'summary' | 'description' | 'security' | 'parameters' | 'requestBody'
    >,
    success: Pick<ResponseObject, 'description' | 'content'> & { headers?: ResponseObject['headers'] },
    statuses: readonly (keyof typeof REFUSALS)[],
  ): OperationObject => ({
    ...operation,
    tags: [SIGN_IN_TAG.name],
    servers: [{ url: server }],
    responses: {
      '200': { ...success, headers: { ...SHARED_RESPONSE_HEADERS.always, ...success.headers } },
      ...Object.fromEntries(
        statuses.map((status) => {
          const [description = '', waiting = {}] = REFUSALS[status] ?? [];
          const headers = { ...SHARED_RESPONSE_HEADERS.always, ...waiting } as ResponseObject['headers'];
          return [status, { description, headers, content: json(error, 'output') }];
        }),
      ),
    },
  });
  const origin: ParameterObject = {
    name: 'Origin',
    in: 'header',
    required: false,
    description: 'The origin of this service. Required if a cookie is sent; browsers add it automatically.',
    schema: { type: 'string' },
  };
  const setCookie = {
    'Set-Cookie': {
      description: `The session: \`${SESSION_COOKIE}\`, over HTTPS \`__Host-${SESSION_COOKIE}\`.`,
      schema: { type: 'string' },
    },
  };
  return {
    '/api/auth/sign-in/email': {
      post: describe(
        {
          operationId: 'signIn',
          summary: 'Sign in',
          description:
            'Returns a session in a cookie. Send the cookie with every request. Requests with side effects also require the header `X-Reelay-CSRF: 1`. If the user has a second factor, the response is 403 `second_factor_required` with a cookie. Complete the sign-in within 10 minutes: send the cookie and `{"code": "…"}` to `POST /api/auth/two-factor/verify-totp` or `…/verify-backup-code`.',
          security: [],
          parameters: [origin],
          requestBody: { required: true, content: json(credentials, 'input') },
        },
        {
          description: 'Signed in.',
          headers: setCookie,
          content: json(z.object({ redirect: z.boolean(), user }), 'output'),
        },
        ['400', '401', '403', '413', '415', '429', '500', '503'],
      ),
    },
    '/api/auth/get-session': {
      get: describe(
        {
          operationId: 'getSession',
          summary: 'The current session',
          description: 'Returns the session and user of the cookie, or `null`.',
          security: [{ session: [] }, {}],
        },
        {
          description: 'The session, or `null` without a valid session.',
          content: json(
            z.union([
              z.object({
                session: z.object({ expiresAt: timestamp }).meta({ id: 'Session' }),
                user,
              }),
              z.null(),
            ]),
            'output',
          ),
        },
        ['400', '403', '500', '503'],
      ),
    },
    '/api/auth/sign-out': {
      post: describe(
        {
          operationId: 'signOut',
          summary: 'Sign out',
          description: 'Ends the session of the cookie. Send the body `{}`.',
          security: [{ session: [] }],
          parameters: [origin],
          requestBody: { required: false, content: json(z.object({}), 'input') },
        },
        {
          description: 'Signed out.',
          headers: { 'Set-Cookie': { description: 'Removes the cookie.', schema: { type: 'string' } } },
          content: json(z.object({ success: z.literal(true) }), 'output'),
        },
        ['400', '403', '413', '415', '500', '503'],
      ),
    },
  };
}
