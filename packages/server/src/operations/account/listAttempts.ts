import { z } from 'zod';
import { type Attempt, attemptText } from '../../accounts/connect/attempt-store.ts';
import { id, timestamp } from '../../http/operation.ts';
import type { MessageRenderer } from '../../messages/message.ts';
import { operation } from '../operation.ts';

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
  response: z.object({ data: z.array(attempt) }),
  errors: [],
  async handle({ accounts, renderMessage }, { caller }) {
    const found = await accounts.attempts(caller.userId);
    return { data: found.map((each) => shownAttempt(each, renderMessage)) };
  },
});

/** An attempt as its owner sees it. */
export function shownAttempt({ steps, ...rest }: Attempt, render: MessageRenderer): z.input<typeof attempt> {
  return {
    ...rest,
    steps: steps.map(({ message, text, ...step }) => ({
      ...step,
      text: attemptText({ ...step, message, text }, render),
    })),
  };
}
