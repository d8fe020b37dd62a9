import { z } from 'zod';
import { renameGroup } from '../../accounts/groups/group-store.ts';
import { ReelayError } from '../../errors/reelay-error.ts';
import { idText } from '../../http/operation.ts';
import { isUuid } from '../../lib/ids.ts';
import { operation } from '../operation.ts';
import { accountGroup, groupName } from './schemas.ts';

export const renameAccountGroup = operation({
  id: 'renameAccountGroup',
  method: 'PATCH',
  path: '/account-groups/{id}',
  tag: 'Dashboard',
  summary: 'Rename an account group',
  description: 'Changes the name. Another group of yours with the new name is deleted. Requires a session.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  body: z.strictObject({ name: groupName }).meta({ id: 'RenameAccountGroup' }),
  response: z.object({ data: accountGroup }),
  errors: ['unknown_group'],
  async handle({ db }, { caller, params: { id }, body: { name } }) {
    const renamed = isUuid(id) ? await renameGroup(db, caller.userId, { id, name }) : undefined;
    if (!renamed) throw new ReelayError('unknown_group');
    return { data: renamed };
  },
});
