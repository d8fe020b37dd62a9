import { z } from 'zod';
import type { ConnectedAccount } from '../../accounts/connect/account-writer.ts';
import { id } from '../../http/operation.ts';
import type { MessageRenderer } from '../../messages/message.ts';
import { operation } from '../operation.ts';

const short = z.string().min(1).max(500);

export const connected = z
  .object({
    id: id.meta({
      description: 'Used in `platforms`, `from` and `to`. Stays the same when the account is reconnected.',
    }),
    platform: z.string(),
    username: z.string(),
    displayName: z.string(),
    notes: z.array(z.string()).meta({ description: 'Settings that are missing, or that the account does not allow.' }),
  })
  .meta({ id: 'ConnectedAccount' });

export const connectAccount = operation({
  id: 'connectAccount',
  method: 'POST',
  path: '/accounts/connect',
  tag: 'Platforms',
  summary: 'Connect an account',
  description:
    'For most platforms, returns a URL to open once within ten minutes, in a browser in which the same user is signed in. The page names the user and asks for confirmation before it redirects to the platform. The account is connected when its owner has confirmed on both pages. With a `secret` (an app password or a bot token), it is connected immediately. Requires a session.',
  auth: 'session',
  writes: true,
  body: z
    .strictObject({
      platform: short.meta({ examples: ['tiktok'] }),
      service: short.optional().meta({
        description: 'The account’s server, for platforms with several servers.',
        examples: ['mastodon.social'],
      }),
      identifier: short.optional().meta({ description: 'The account’s handle.' }),
      login: short.optional().meta({ description: 'The login type, for platforms with several.' }),
      secret: z.string().min(1).max(5_000).optional().meta({ description: 'App password or bot token.' }),
      choices: z
        .record(short, short)
        .optional()
        .meta({
          description: 'Settings that the owner chooses, by name.',
          examples: [{ privacy: 'public' }],
        }),
      account: short.optional().meta({
        description: 'Id of the account to reconnect. Any other account is rejected.',
      }),
      sandbox: z.boolean().optional().meta({ description: 'Connect at the simulated platform.' }),
    })
    .meta({ id: 'ConnectAccount' }),
  response: z.object({
    attempt: id.meta({ description: 'The id of the attempt: `GET /accounts/attempts/{id}` returns its steps.' }),
    url: z
      .url()
      .nullable()
      .meta({ description: 'The URL to open in a browser; null if the account is already connected.' }),
    accounts: z.array(connected).meta({ description: 'Accounts that were connected immediately.' }),
  }),
  errors: ['platform_not_connected', 'plan_limit_reached', 'connect_failed'],
  async handle({ accounts, renderMessage }, { caller, body }) {
    const sessionId = caller.by.kind === 'session' ? caller.by.id : undefined;
    const started = await accounts.startConnect({ ...body, userId: caller.userId, actor: 'session', sessionId });
    return {
      attempt: started.attempt,
      url: started.url,
      accounts: started.accounts.map((account) => shownConnected(account, renderMessage)),
    };
  },
});

/** A connected account with its notes in a language. */
export function shownConnected(
  { again: _, notes, ...account }: ConnectedAccount,
  render: MessageRenderer,
): z.input<typeof connected> {
  return { ...account, notes: notes.map(render) };
}
