import { signInOperation } from '../../http/sign-in-operation.ts';
import { nothing } from './fields.ts';

export const endSessions = signInOperation({
  id: 'endSessions',
  method: 'POST',
  path: '/revoke-sessions',
  body: nothing,
  guards: null,
});
