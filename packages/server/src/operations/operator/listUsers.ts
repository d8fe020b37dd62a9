import { z } from 'zod';
import { PLAN_NAMES } from '../../config/plan-names.ts';
import { id, timestamp } from '../../http/operation.ts';
import { LIMIT_UNITS } from '../../messages/error-parts.ts';
import { userPage } from '../../operator/users.ts';
import { operation } from '../operation.ts';
import { next, pageQuery } from './schemas.ts';

const MAX_TEXT = 200;

const managedUser = z
  .object({
    id,
    email: z.string(),
    name: z.string(),
    plan: z.enum(PLAN_NAMES),
    operator: z.boolean(),
    suspended: z.boolean().meta({ description: 'Whether all requests of the user are rejected.' }),
    secondFactor: z.boolean(),
    createdAt: timestamp,
    lastSeenAt: timestamp.nullable().meta({
      description: 'Last use of a session, accurate to one hour; null without a session.',
    }),
    limits: z.array(
      z.object({
        name: z.enum(Object.keys(LIMIT_UNITS)),
        value: z.number().int().meta({ description: 'What the plan allows.' }),
        used: z.number().int(),
      }),
    ),
  })
  .meta({ id: 'ManagedUser' });

export const listUsers = operation({
  id: 'listUsers',
  method: 'GET',
  path: '/operator/users',
  tag: 'Operator',
  summary: 'List users',
  description: 'All users with plan, usage and state, newest first. Requires a session of the operator.',
  auth: 'operator-session',
  writes: false,
  query: z.object({
    ...pageQuery,
    text: z
      .string()
      .min(1)
      .max(MAX_TEXT)
      .optional()
      .meta({ description: 'Part of the email address or of the name, in upper or lower case.' }),
  }),
  response: z.object({ data: z.array(managedUser), next }),
  errors: [],
  handle: ({ db, config }, { query }) => userPage(db, config.plans, query),
});
