import { z } from 'zod';
import { id, operation, timestamp } from '../../http/operation.ts';

export const attempt = z
  .object({
    id: id.meta({ description: 'What support asks for.' }),
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
        status: z.number().int().optional().meta({ description: 'Of the platform’s answer, or of ours.' }),
      }),
    ),
  })
  .meta({ id: 'ConnectAttempt' });

export const listAttempts = operation({
  id: 'listAttempts',
  method: 'GET',
  path: '/accounts/attempts',
  tag: 'Platforms',
  summary: 'Attempts to connect',
  description:
    'Your latest twenty attempts to connect an account within thirty days, newest first, each with its steps as far as it came, in the platform’s own words. With the dashboard’s session only.',
  auth: 'session',
  writes: false,
  answer: z.object({ data: z.array(attempt) }),
  errors: [],
  handle: async ({ accounts }, { caller }) => ({ data: await accounts.attempts(caller.userId) }),
});
