import { z } from 'zod';
import { deleteGroup } from '../../accounts/groups/group-store.ts';
import { ReelayError } from '../../errors/reelay-error.ts';
import { idText } from '../../http/operation.ts';
import { isUuid } from '../../lib/ids.ts';
import { operation } from '../operation.ts';

export const deleteAccountGroup = operation({
  id: 'deleteAccountGroup',
  method: 'DELETE',
  path: '/account-groups/{id}',
  tag: 'Dashboard',
  summary: 'Delete an account group',
  description: 'Deletes the group. Its accounts stay connected. Requires a session.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  response: z.object({}),
  errors: ['unknown_group'],
  async handle({ db }, { caller, params: { id } }) {
    if (!isUuid(id) || !(await deleteGroup(db, caller.userId, id))) throw new ReelayError('unknown_group');
    return {};
  },
});
