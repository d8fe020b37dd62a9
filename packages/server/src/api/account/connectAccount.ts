import { z } from 'zod';
import { id, idText, operation } from '../../http/operation.ts';

const short = z.string().min(1).max(500);

const connected = z
  .object({
    id: id.meta({ description: 'To be used in `platforms`, `from` and `to`. The same after connecting again.' }),
    platform: z.string(),
    username: z.string(),
    displayName: z.string(),
    notes: z.array(z.string()).meta({ description: 'What is still to be chosen, or could not be.' }),
  })
  .meta({ id: 'ConnectedAccount' });

export const connectAccount = operation({
  id: 'connectAccount',
  method: 'POST',
  path: '/accounts/connect',
  tag: 'Platforms',
  summary: 'Connect an account',
  description:
    'For most platforms it answers an address to open within ten minutes, once, in a browser in which the same user is signed in. A page there names the user and asks for a confirmation before the platform’s own page; the account is connected when its owner has allowed it on both. With a `secret` (an app password, a bot token) it is connected at once. With the dashboard’s session only.',
  auth: 'session',
  writes: true,
  body: z
    .strictObject({
      platform: short.meta({ examples: ['tiktok'] }),
      service: short.optional().meta({
        description: 'Server that the account lives on, where a platform has many.',
        examples: ['mastodon.social'],
      }),
      identifier: short.optional().meta({ description: 'Handle of the account.' }),
      login: short.optional().meta({ description: 'Kind of login, where the platform has several.' }),
      secret: z.string().min(1).max(5_000).optional().meta({ description: 'App password or bot token.' }),
      choices: z
        .record(short, short)
        .optional()
        .meta({
          description: 'What the platform wants the owner to choose, by name.',
          examples: [{ privacy: 'public' }],
        }),
      account: idText.optional().meta({
        description: 'Id of an account that is to be connected again: a consent of any other is refused.',
      }),
      sandbox: z.boolean().optional().meta({ description: 'At the simulated platform.' }),
    })
    .meta({ id: 'ConnectAccount' }),
  answer: z.object({
    attempt: id.meta({ description: 'Under this id every step is noted: `GET /accounts/attempts/{id}`.' }),
    url: z.url().nullable().meta({ description: 'To be opened in a browser; null: connected already.' }),
    accounts: z.array(connected).meta({ description: 'What was connected at once.' }),
  }),
  errors: ['platform_not_connected', 'plan_limit_reached', 'connect_failed'],
  async handle({ accounts }, { caller, body }) {
    const started = await accounts.startConnect({ ...body, userId: caller.userId, actor: 'session' });
    return {
      attempt: started.attempt,
      url: started.url,
      accounts: started.accounts.map(({ again: _, ...account }) => account),
    };
  },
});
