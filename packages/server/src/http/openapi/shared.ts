/** Parts of the OpenAPI document shared by all operations. */
import { z } from 'zod';
import { ERRORS, type ErrorCode, ReelayError } from '../../errors/reelay-error.ts';
import type { ResponseObject } from './types.ts';

const CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

export const errorSchema = z
  .object({
    success: z.literal(false),
    code: z.enum(CODES).meta({ id: 'ErrorCode', description: 'Stable. New codes may be added.' }),
    message: z.string().meta({ description: 'A message for people. It can change.' }),
    retryAfter: z.int().positive().optional().meta({ description: 'Seconds to wait; with `rate_limited`.' }),
    limit: z
      .object({
        name: z.enum(['posts_per_month', 'connected_accounts', 'rules', 'scheduled_ahead']),
        value: z.int(),
        used: z.int(),
        resetsAt: z.iso.datetime().nullable().meta({ description: 'null if it does not reset automatically.' }),
      })
      .optional()
      .meta({ description: 'With `plan_limit_reached`: the limit that was reached.' }),
    field: z
      .object({
        path: z.string().meta({ examples: ['options.quietHours.from'] }),
        problem: z.string().meta({ description: 'A part of `message`. It can change.' }),
      })
      .optional()
      .meta({ description: 'With `invalid_request`: the field that is invalid, if it is one.' }),
  })
  .meta({ id: 'Error' });

const integer = { type: 'integer', minimum: 0 };

export const SHARED_HEADERS = {
  'X-Request-Id': {
    description: 'Identifies this request in the service’s log.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'RateLimit-Limit': {
    description: 'Maximum number of requests in the window; absent if limits are disabled.',
    schema: integer,
  },
  'RateLimit-Remaining': { description: 'Remaining requests; absent if limits are disabled.', schema: integer },
  'RateLimit-Reset': {
    description: 'Seconds until the oldest counted request leaves the window; absent if limits are disabled.',
    schema: integer,
  },
  'Retry-After': { description: 'Seconds to wait.', required: true, schema: integer },
};

const links = (...names: (keyof typeof SHARED_HEADERS)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Response headers, grouped by when they are present. */
export const SHARED_RESPONSE_HEADERS = {
  always: links('X-Request-Id'),
  limited: links('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'),
  waiting: links('Retry-After'),
};

/**
 * Error responses by status.
 * @param errors codes, or errors whose status can differ from that of their code
 * @param options.limited whether responses include the rate limit headers
 */
export function refusals(
  errors: readonly (ErrorCode | ReelayError)[],
  { limited }: { limited: boolean },
): Record<string, ResponseObject> {
  const byStatus = new Map<number, Set<ErrorCode>>();
  for (const each of errors) {
    const { code, status } = typeof each === 'string' ? new ReelayError(each) : each;
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([one], [other]) => one - other)
      .map(([status, codes]) => [String(status), refusal(status, [...codes], limited)]),
  );
}

function refusal(status: number, codes: readonly ErrorCode[], limited: boolean): ResponseObject {
  const waits = status === 423 || status === 429 || status === 503;
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join('\n\n'),
    headers: {
      ...SHARED_RESPONSE_HEADERS.always,
      ...(limited && status !== 401 ? SHARED_RESPONSE_HEADERS.limited : {}),
      ...(waits ? SHARED_RESPONSE_HEADERS.waiting : {}),
    },
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: [...codes] } } }],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}
