import { z } from 'zod';
import { listPasskeys as readPasskeys } from '../../users/passkey-store.ts';
import { operation } from '../operation.ts';
import { passkey, showPasskey } from './passkey-schema.ts';

export const listPasskeys = operation({
  id: 'listPasskeys',
  method: 'GET',
  path: '/user/passkeys',
  tag: 'User',
  summary: 'Your passkeys',
  description: 'Passkeys that sign you in, oldest first. Requires a session.',
  auth: 'session',
  writes: false,
  response: z.object({ data: z.array(passkey) }),
  errors: [],
  async handle({ db }, { caller }) {
    return { data: (await readPasskeys(db, caller.userId)).map(showPasskey) };
  },
});
