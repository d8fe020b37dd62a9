import { signInOperation } from '../../http/sign-in-operation.ts';
import { nothing } from './fields.ts';

export const challengePasskey = signInOperation({
  id: 'challengePasskey',
  method: 'POST',
  path: '/passkey/generate-authenticate-options',
  body: nothing,
  guards: 'passkeyChallenge',
});
