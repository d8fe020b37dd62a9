import { z } from 'zod';
import { appNamesOf, setupOf } from '../../accounts/apps/platform-setup.ts';
import { SETUP_WARNINGS, setupWarnings } from '../../accounts/apps/setup-warnings.ts';
import type { Connector, SetupGuide } from '../../connectors/contract.ts';
import type { Context } from '../../context.ts';
import { apiError } from '../../errors/reelay-error.ts';
import { formText } from '../../http/form-text.ts';
import { idText } from '../../http/operation.ts';
import { countUse } from '../../operator/application-store.ts';
import { operation } from '../operation.ts';

const application = z.object({
  name: z.string().meta({ description: 'The name under which it is configured.' }),
  title: formText.nullable().meta({ description: 'Which application this is; null if the platform has one only.' }),
  source: z.enum(['environment', 'stored']).nullable().meta({ description: 'Where it is set; null if it is not.' }),
  variables: z.array(z.string()).meta({ description: 'The environment variables for the id and the secret.' }),
  scopes: z.array(z.string()).meta({ description: 'The scopes that it must have.' }),
  guide: z
    .object({
      steps: z.array(formText).meta({ description: 'What to do at the platform, in order.' }),
      id: formText.meta({ description: 'What the platform calls the id.' }),
      secret: formText.meta({ description: 'What the platform calls the secret.' }),
      review: formText,
      before: formText.nullable().meta({ description: 'What works without the review; null: everything.' }),
    })
    .nullable(),
  use: z
    .object({
      accounts: z.number().int().meta({ description: 'Connected accounts of all users.' }),
      posts: z.number().int().meta({ description: 'Scheduled posts to them.' }),
      isExact: z.boolean().meta({ description: '`false`: some of them may use another application.' }),
    })
    .meta({ description: 'What stops working without it.' }),
  alsoFor: z.array(z.string()).meta({ description: 'Names of other platforms that use it.' }),
});

const platformGuide = z
  .object({
    platform: z.string(),
    name: z.string(),
    redirectUri: z.string().nullable().meta({ description: 'Must be registered at the platform exactly like this.' }),
    portal: z.string().nullable().meta({ description: 'Where an application is registered.' }),
    warnings: z.array(z.enum(SETUP_WARNINGS)).meta({
      description:
        'Why it would not work with the address of this service. `redirect_https`: the platform redirects only to https. `redirect_localhost`: it redirects to an IP address, but not to `localhost`. `media_private`: it fetches videos from here, but cannot reach this address.',
    }),
    applications: z.array(application).meta({ description: 'One is enough. Empty if none is needed.' }),
  })
  .meta({ id: 'PlatformGuide' });

export const getPlatformSetup = operation({
  id: 'getPlatformSetup',
  method: 'GET',
  path: '/operator/setup/{platform}',
  tag: 'Operator',
  summary: 'How to set up a platform',
  description:
    'What to do at the platform, what is set, and what depends on it. Secrets are never returned. Requires a session of the operator.',
  auth: 'operator-session',
  writes: false,
  params: z.object({ platform: idText }),
  response: z.object({ data: platformGuide }),
  errors: ['invalid_request'],
  async handle(context, { params }) {
    const { connectors, config, apps } = context;
    const connector = Object.hasOwn(connectors, params.platform) ? connectors[params.platform] : undefined;
    if (!connector) {
      const allowed = Object.keys(connectors).join(', ');
      throw apiError('platform_unknown', { platform: params.platform.slice(0, 50), allowed });
    }
    const { platform, name, redirectUri, portal, applications } = setupOf(connector, {
      apps,
      publicUrl: config.publicUrl,
    });
    const shown = applications.map(async ({ name: app, source, variables, scopes }) => {
      const found = connector.registration?.guides?.[app];
      return {
        name: app,
        title: found?.title ?? null,
        source,
        variables,
        scopes,
        guide: found ? guideOf(found) : null,
        ...(await dependents(context, connector, app)),
      };
    });
    const warnings = setupWarnings(connector, config.publicUrl);
    return { data: { platform, name, redirectUri, portal, warnings, applications: await Promise.all(shown) } };
  },
});

function guideOf({ steps, id, secret, review, before }: SetupGuide) {
  return { steps: [...steps], id, secret, review, before: before ?? null };
}

/** Accounts do not record which of a platform's applications they were connected with. */
async function dependents({ db, connectors, apps }: Context, connector: Connector, app: string) {
  const users = Object.values(connectors).filter((each) => appNamesOf(each).includes(app));
  const isSet = (name: string) => name !== app && apps.source(name) !== null;
  const use = await countUse(
    db,
    users.map(({ id }) => id),
  );
  return {
    use: { ...use, isExact: !users.some((each) => appNamesOf(each).some(isSet)) },
    alsoFor: users.filter(({ id }) => id !== connector.id).map(({ name }) => name),
  };
}
