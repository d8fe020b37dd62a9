import { z } from 'zod';
import { operation } from '../operation.ts';
import { connected, shownConnected } from './connectAccount.ts';

export const connectSandbox = operation({
  id: 'connectSandbox',
  method: 'POST',
  path: '/accounts/connect-sandbox',
  tag: 'Platforms',
  summary: 'Connect simulated accounts',
  description:
    'Connects one simulated account on every platform where you have none yet, without consent pages. Requires a session, and the sandbox.',
  auth: 'session',
  writes: true,
  answer: z.object({ data: z.array(connected).meta({ description: 'The accounts that were connected now.' }) }),
  errors: ['platform_not_connected', 'plan_limit_reached', 'connect_failed'],
  async handle({ accounts, renderMessage }, { caller }) {
    const made = await accounts.connectAllSandbox({ userId: caller.userId, actor: 'session' });
    return { data: made.map((account) => shownConnected(account, renderMessage)) };
  },
});
