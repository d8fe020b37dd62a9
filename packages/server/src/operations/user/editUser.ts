import { z } from 'zod';
import { LANGUAGES } from '../../messages/languages.ts';
import { zoneName } from '../../reposts/options/rule-options.ts';
import { updateOwnUser } from '../../users/user-store.ts';
import { operation } from '../operation.ts';
import { currentUser, showCurrentUser } from './current-user.ts';

/** In UTF-16 units, as at sign-up. */
const MAX_NAME = 100;

export const editUser = operation({
  id: 'editUser',
  method: 'PATCH',
  path: '/user',
  tag: 'User',
  summary: 'Change your settings',
  description: 'Settings that are not sent stay unchanged. Requires a session.',
  auth: 'session',
  writes: true,
  body: z
    .strictObject({
      name: z.string().trim().min(1).max(MAX_NAME).optional(),
      zone: zoneName.optional(),
      late: z.enum(['post', 'skip']).optional(),
      language: z.enum(LANGUAGES).optional(),
    })
    .meta({ id: 'EditUser' }),
  response: z.object({ data: currentUser }),
  errors: [],
  async handle(context, { caller, body }) {
    await updateOwnUser(context.db, caller.userId, body);
    return { data: await showCurrentUser(context, caller.userId) };
  },
  audit: ({ caller }) => ({ action: 'user.edit', subject: caller.userId }),
});
