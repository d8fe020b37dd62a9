import { signInOperation } from '../../http/sign-in-operation.ts';
import { nothing } from './fields.ts';

export const endOtherSessions = signInOperation({
  id: 'endOtherSessions',
  method: 'POST',
  path: '/revoke-other-sessions',
  body: nothing,
  guards: null,
});
