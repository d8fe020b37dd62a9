import { z } from 'zod';
import { id, operation, timestamp } from '../../http/operation.ts';

export const attempt = z
  .object({
    id: id.meta({ description: 'The reference for support requests.' }),
    platform: z.string(),
    sandbox: z.boolean(),
    steps: z.array(
      z.object({
        at: timestamp,
        step: z.enum(['begun', 'consent', 'answer', 'exchange', 'scopes', 'profile', 'choice', 'login', 'stored']),
        ok: z.boolean(),
        text: z.string(),
        platformCode: z.string().optional(),
        platformRequestId: z.string().optional(),
        status: z
          .number()
          .int()
          .optional()
          .meta({ description: 'HTTP status of the platform’s response, or of our own.' }),
      }),
    ),
  })
  .meta({ id: 'ConnectAttempt' });

export const listAttempts = operation({
  id: 'listAttempts',
  method: 'GET',
  path: '/accounts/attempts',
  tag: 'Platforms',
  summary: 'Connect attempts',
  description:
    'Your latest 20 connect attempts of the last 30 days, newest first, with their steps and the platform’s own messages. Requires a session.',
  auth: 'session',
  writes: false,
  answer: z.object({ data: z.array(attempt) }),
  errors: [],
  handle: async ({ accounts }, { caller }) => ({ data: await accounts.attempts(caller.userId) }),
});
