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
          name: z.string().meta({ description: 'Under which it is set.' }),
          source: z.enum(['environment', 'stored']).nullable(),
          variables: z.array(z.string()),
        }),
      )
      .meta({ description: 'Those that it knows; one is enough. Empty: none is needed.' }),
    configured: z.boolean().meta({ description: 'Whether accounts can be connected.' }),
    redirectUri: z.string().nullable().meta({ description: 'To be told to the platform, exactly so.' }),
    scopes: z.array(z.string()).meta({ description: 'What is asked for.' }),
    portal: z.string().nullable().meta({ description: 'Where an application is registered.' }),
    review: z.string().nullable().meta({ description: 'What the platform looks at before others may use it.' }),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'Why it cannot work now: as the service is reached, or with `check` as it is answered.' }),
  })
  .meta({ id: 'PlatformSetup' });

export const listSetup = operation({
  id: 'listSetup',
  method: 'GET',
  path: '/platform/setup',
  tag: 'Platforms',
  summary: 'What is set up at each platform',
  description: 'For the operator: applications, redirect addresses, scopes. Secrets are never shown.',
  auth: 'operator',
  writes: false,
  query: z.object({
    check: z.enum(['true', 'false']).optional().meta({
      description: '`true`: the hosts of each platform that is set up are asked whether they answer; some seconds.',
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
