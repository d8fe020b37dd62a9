import { z } from 'zod';
import { setupOf } from '../../accounts/apps/platform-setup.ts';
import { formText } from '../../http/form-text.ts';
import { operation } from '../operation.ts';

export const setup = z
  .object({
    platform: z.string(),
    name: z.string(),
    by: z.enum(['consent', 'login']).meta({ description: 'How accounts are connected.' }),
    applications: z
      .array(
        z.object({
          name: z.string().meta({ description: 'The name under which it is configured.' }),
          title: formText.nullable().meta({
            description: 'Which application this is; null if the platform has one only.',
          }),
          source: z.enum(['environment', 'stored']).nullable(),
          variables: z.array(z.string()),
          scopes: z.array(z.string()).meta({ description: 'The scopes that this application must have.' }),
          check: z
            .object({
              verdict: z.enum(['verified', 'rejected', 'unverified']).meta({
                description: '`verified` only if the platform’s response proves the id and the secret.',
              }),
              message: z.string().meta({ description: 'With the platform’s own words.' }),
            })
            .nullable()
            .meta({ description: 'With `check`, for a configured application: whether the platform accepts it.' }),
        }),
      )
      .meta({ description: 'Supported applications; one is enough. Empty if none is needed.' }),
    configured: z.boolean().meta({ description: 'Whether accounts can be connected.' }),
    redirectUri: z.string().nullable().meta({ description: 'Register this exact value at the platform.' }),
    scopes: z.array(z.string()).meta({ description: 'The requested scopes.' }),
    portal: z.string().nullable().meta({ description: 'Where an application is registered.' }),
    review: z.string().nullable().meta({ description: 'What the platform reviews before other users may connect.' }),
    problem: z.string().nullable().meta({
      description:
        'Why the platform cannot work now: the service is not reachable from outside or, with `check`, the platform is not reachable or rejects an application.',
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
      description:
        '`true`: probe the hosts of each configured platform, and verify the id and the secret of each application where the platform allows it without a user. Takes several seconds.',
    }),
  }),
  response: z.object({ data: z.array(setup) }),
  errors: [],
  handle: async ({ connectors, apps, accounts, renderMessage, config: { publicUrl } }, { query }) => {
    const data = Object.values(connectors).map(async (connector) => {
      const { applications, problem, ...known } = setupOf(connector, { apps, publicUrl });
      const isProbed = query.check === 'true' && known.configured && !connector.federated;
      const [checks, unreachable] = isProbed
        ? await Promise.all([accounts.checkApplications(connector.id), accounts.reachProblem(connector.id)])
        : [null, null];
      const withCheck = applications.map((application) => {
        const check = checks?.[application.name];
        return {
          ...application,
          title: connector.registration?.guides?.[application.name]?.title ?? null,
          check: check ? { verdict: check.verdict, message: renderMessage(check.message) } : null,
        };
      });
      const said = problem ?? unreachable;
      const rejected = withCheck.find(({ check }) => check?.verdict === 'rejected')?.check?.message ?? null;
      return { ...known, applications: withCheck, problem: said ? renderMessage(said) : rejected };
    });
    return { data: await Promise.all(data) };
  },
});
