import { z } from 'zod';
import { MAX_GROUPS, saveGroup } from '../../accounts/groups/group-store.ts';
import { id } from '../../http/operation.ts';
import { operation } from '../operation.ts';
import { MAX_PLATFORMS } from '../post/fields.ts';
import { accountGroup, groupName } from './schemas.ts';

export const saveAccountGroup = operation({
  id: 'saveAccountGroup',
  method: 'PUT',
  path: '/account-groups',
  tag: 'Dashboard',
  summary: 'Save an account group',
  description: `Adds a group, or replaces the accounts of your group of this name. At most ${MAX_GROUPS} groups. Requires a session.`,
  auth: 'session',
  writes: true,
  body: z
    .strictObject({
      name: groupName,
      accounts: z.array(id).min(1).max(MAX_PLATFORMS).meta({ description: 'Ids of your accounts.' }),
    })
    .meta({ id: 'SaveAccountGroup' }),
  response: z.object({ data: accountGroup }),
  errors: ['unknown_platform', 'too_many_groups'],
  handle: async ({ db }, { caller, body }) => ({ data: await saveGroup(db, caller.userId, body) }),
});
