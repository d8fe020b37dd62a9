import { z } from 'zod';
import { signInOperation } from '../../http/sign-in-operation.ts';
import { SESSION_COOKIE } from '../../users/auth-route.ts';
import { email, password } from './fields.ts';
import { signedInUser } from './signed-in-user.ts';

const credentials = z
  .object({
    email: z.string(),
    password: z.string(),
    rememberMe: z
      .boolean()
      .optional()
      .meta({ description: 'false: the session ends with the browser. Default: true.' }),
  })
  .meta({ id: 'SignIn' });

export const signIn = signInOperation({
  id: 'signIn',
  method: 'POST',
  path: '/sign-in/email',
  body: z.strictObject({ email, password, rememberMe: z.boolean().optional() }),
  guards: 'signIn',
  document: {
    summary: 'Sign in',
    description:
      'Returns a session in a cookie. Send the cookie with every request. Requests with side effects also require the header `X-Reelay-CSRF: 1`. If the user has a second factor, the response is 403 `second_factor_required` with a cookie. Complete the sign-in within 10 minutes: send the cookie and `{"code": "…"}` to `POST /api/auth/two-factor/verify-totp` or `…/verify-backup-code`.',
    session: 'none',
    body: credentials,
    success: {
      description: 'Signed in.',
      cookie: `The session: \`${SESSION_COOKIE}\`, over HTTPS \`__Host-${SESSION_COOKIE}\`.`,
      content: z.object({ redirect: z.boolean(), user: signedInUser }),
    },
  },
});
