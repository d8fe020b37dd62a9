import { z } from 'zod';
import { setupOf } from '../../accounts/setup.ts';
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
    problem: z.string().nullable().meta({ description: 'Why it cannot work as the service is reached now.' }),
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
  answer: z.object({ data: z.array(setup) }),
  errors: [],
  handle: async ({ connectors, apps, config: { publicUrl } }) => ({
    data: Object.values(connectors).map((connector) => setupOf(connector, { apps, publicUrl })),
  }),
});
