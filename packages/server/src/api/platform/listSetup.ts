import { z } from 'zod';
import { setupOf } from '../../accounts/apps/platform-setup.ts';
import { operation } from '../../http/operation.ts';

export const setup = z
  .object({
    platform: z.string(),
    name: z.string(),
    by: z.enum(['consent', 'login']).meta({ description: 'How accounts are connected.' }),
    applications: z
      .array(
        z.object({
          name: z.string().meta({ description: 'The name under which it is configured.' }),
          source: z.enum(['environment', 'stored']).nullable(),
          variables: z.array(z.string()),
        }),
      )
      .meta({ description: 'Supported applications; one is enough. Empty if none is needed.' }),
    configured: z.boolean().meta({ description: 'Whether accounts can be connected.' }),
    redirectUri: z
      .string()
      .nullable()
      .meta({ description: 'Must be registered at the platform exactly as it is here.' }),
    scopes: z.array(z.string()).meta({ description: 'The requested scopes.' }),
    portal: z.string().nullable().meta({ description: 'Where an application is registered.' }),
    review: z.string().nullable().meta({ description: 'What the platform reviews before other users may connect.' }),
    problem: z.string().nullable().meta({
      description:
        'Why the platform cannot work now: the service is not reachable from outside or, with `check`, the platform is not reachable.',
    }),
  })
  .meta({ id: 'PlatformSetup' });

export const listSetup = operation({
  id: 'listSetup',
  method: 'GET',
  path: '/platform/setup',
  tag: 'Platforms',
  summary: 'Platform configuration',
  description: 'For the operator: applications, redirect URIs and scopes. Secrets are never returned.',
  auth: 'operator',
  writes: false,
  query: z.object({
    check: z.enum(['true', 'false']).optional().meta({
      description: '`true`: probe the hosts of each configured platform. Takes several seconds.',
    }),
  }),
  answer: z.object({ data: z.array(setup) }),
  errors: [],
  handle: async ({ connectors, apps, accounts, config: { publicUrl } }, { query }) => {
    const data = Object.values(connectors).map(async (connector) => {
      const known = setupOf(connector, { apps, publicUrl });
      const isProbed = query.check === 'true' && known.configured && !connector.federated;
      return { ...known, problem: known.problem ?? (isProbed ? await accounts.reachProblem(connector.id) : null) };
    });
    return { data: await Promise.all(data) };
  },
});
