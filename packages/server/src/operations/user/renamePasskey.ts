import { z } from 'zod';
import { ReelayError } from '../../errors/reelay-error.ts';
import { idText, trimmedText } from '../../http/operation.ts';
import { isUuid } from '../../lib/ids.ts';
import { renamePasskey as rename } from '../../users/passkey-store.ts';
import { operation } from '../operation.ts';
import { passkey, showPasskey } from './passkey-schema.ts';

/** In UTF-16 units. */
const MAX_NAME = 100;

export const renamePasskey = operation({
  id: 'renamePasskey',
  method: 'PATCH',
  path: '/user/passkeys/{id}',
  tag: 'User',
  summary: 'Rename a passkey',
  description: 'Changes the name that you see in the list. Requires a session.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  body: z.strictObject({ name: trimmedText(MAX_NAME) }).meta({ id: 'RenamePasskey' }),
  response: z.object({ data: passkey }),
  errors: ['unknown_passkey'],
  async handle({ db }, { caller, params, body }) {
    const renamed = isUuid(params.id) ? await rename(db, caller.userId, params.id, body.name) : null;
    if (!renamed) throw new ReelayError('unknown_passkey');
    return { data: showPasskey(renamed) };
  },
  audit: ({ params }) => ({ action: 'passkey.rename', subject: params.id }),
});
