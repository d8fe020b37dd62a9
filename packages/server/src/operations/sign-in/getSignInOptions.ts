import { z } from 'zod';
import { isLocalRequest } from '../../http/local-request.ts';
import { signUpAccess } from '../../users/first-user.ts';
import { passkeyHost } from '../../users/passkey-host.ts';
import { operation } from '../operation.ts';

const signInOptions = z
  .object({
    userExists: z
      .boolean()
      .meta({ description: '`false`: the first user must still be created and becomes the operator.' }),
    signUp: z.enum(['open', 'token', 'closed']).meta({
      description:
        'Whether you can sign up. `token`: only with the token that the service printed at startup, in the header `X-Reelay-Sign-Up-Token`.',
    }),
    passwordReset: z.enum(['mail', 'operator']).meta({
      description:
        'How a forgotten password is replaced. `mail`: by a link that the service mails. `operator`: only by the operator, with `npx reelay users set-password`.',
    }),
    passkeyHost: z
      .string()
      .nullable()
      .meta({
        description:
          'Host name at which passkeys work. `null`: nowhere, because the address of the service has no name or no https.',
        examples: ['localhost'],
      }),
    sandbox: z.boolean().meta({ description: 'Whether simulated platforms are available.' }),
  })
  .meta({ id: 'SignInOptions' });

export const getSignInOptions = operation({
  id: 'getSignInOptions',
  method: 'GET',
  path: '/sign-in/options',
  tag: 'User',
  summary: 'Ways to sign in',
  description:
    'What a visitor can do before signing in. The response is the same for every visitor of a public service.',
  auth: 'none',
  writes: false,
  response: z.object({ data: signInOptions }),
  responseExample: {
    success: true,
    data: {
      userExists: true,
      signUp: 'closed',
      passwordReset: 'operator',
      passkeyHost: 'reelay.example.org',
      sandbox: true,
    },
  },
  errors: [],
  async handle({ db, config, sandbox }, { raw, header }) {
    const local = isLocalRequest(config, { peer: raw.socket.remoteAddress ?? '', header });
    const { userExists, access } = await signUpAccess({ db, config }, { local });
    const passwordReset = config.mail ? ('mail' as const) : ('operator' as const);
    const host = passkeyHost(config.publicUrl)?.name ?? null;
    return { data: { userExists, signUp: access, passwordReset, passkeyHost: host, sandbox: sandbox !== null } };
  },
});
