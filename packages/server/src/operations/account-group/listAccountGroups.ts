import { z } from 'zod';
import { listGroups } from '../../accounts/groups/group-store.ts';
import { operation } from '../operation.ts';
import { accountGroup } from './schemas.ts';

export const listAccountGroups = operation({
  id: 'listAccountGroups',
  method: 'GET',
  path: '/account-groups',
  tag: 'Dashboard',
  summary: 'Your account groups',
  description:
    'Accounts that you select together, oldest group first. Disconnected accounts are left out. Requires a session.',
  auth: 'session',
  writes: false,
  response: z.object({ data: z.array(accountGroup) }),
  errors: [],
  handle: async ({ db }, { caller }) => ({ data: await listGroups(db, caller.userId) }),
});
