import { z } from 'zod';
import { findOwnUser } from '../../users/user-store.ts';
import { operation } from '../operation.ts';

const secondFactor = z
  .object({
    enabled: z.boolean().meta({ description: 'Whether sign-in requires a code of an authenticator app.' }),
    backupCodesLeft: z.number().int().nullable().meta({ description: 'Unused backup codes; null if it is off.' }),
  })
  .meta({ id: 'SecondFactor' });

export const getSecondFactor = operation({
  id: 'getSecondFactor',
  method: 'GET',
  path: '/user/second-factor',
  tag: 'User',
  summary: 'Your second factor',
  description: 'Whether you have a second factor, and how many backup codes are left. Requires a session.',
  auth: 'session',
  writes: false,
  response: z.object({ data: secondFactor }),
  errors: [],
  async handle({ db, signIn }, { caller }) {
    const enabled = (await findOwnUser(db, caller.userId))?.two_factor_enabled === true;
    return { data: { enabled, backupCodesLeft: enabled ? await signIn.backupCodesLeft(caller.userId) : null } };
  },
});
