import { z } from 'zod';
import { operation } from '../../operation.ts';
import { controlOf } from './schemas.ts';

export const resetSandbox = operation({
  id: 'resetSandbox',
  method: 'POST',
  path: '/operator/sandbox/reset',
  tag: 'Sandbox',
  summary: 'Reset the sandbox',
  description:
    'Deletes all posts, videos and accounts of the simulated platforms, of every user, and switches faults off. Connected simulated accounts lose their access. Requires a session of the operator.',
  auth: 'operator-session',
  writes: true,
  response: z.object({}),
  errors: ['not_found'],
  async handle(context) {
    await controlOf(context).reset();
    return {};
  },
  audit: () => ({ action: 'sandbox.reset', subject: 'sandbox' }),
});
