import { z } from 'zod';
import { setupOf } from '../../accounts/apps/platform-setup.ts';
import type { Ask, Connector, FormText } from '../../connectors/contract.ts';
import { formText } from '../../http/form-text.ts';
import { operation } from '../operation.ts';

const limit = z.number().nullable();

const field = z.object({
  name: z.enum(['service', 'identifier', 'login', 'secret']),
  label: z.string().meta({ description: 'In English.' }),
  title: formText,
  hint: formText.nullable().meta({ description: 'What to enter, or where to find it.' }),
  required: z.boolean(),
  secret: z.boolean().meta({ description: 'An app password or a bot token.' }),
  values: z
    .array(z.object({ value: z.string(), label: z.string().meta({ description: 'In English.' }), title: formText }))
    .nullable()
    .meta({ description: 'The values that can be chosen now, the default first; null for any text.' }),
});

const connectable = z
  .object({
    platform: z.string().meta({ examples: ['tiktok'] }),
    name: z.string().meta({ examples: ['TikTok'] }),
    configured: z.boolean().meta({ description: 'Whether accounts can be connected.' }),
    consent: z
      .array(field)
      .nullable()
      .meta({ description: 'What is asked before the platform’s own page; null if it has none.' }),
    login: z
      .array(field)
      .nullable()
      .meta({ description: 'What is asked to connect immediately; null if this is not possible.' }),
    limits: z
      .object({
        caption: z.number().int().meta({ description: 'Maximum length of the caption, as the platform counts.' }),
        minSeconds: limit,
        maxSeconds: limit,
        maxBytes: z.number(),
      })
      .meta({ description: 'What the platform accepts. An account may allow more, or less.' }),
    finds: z.enum(['own', 'announce', 'poll', 'push']).meta({
      description:
        'Which posts rules can repost. `own`: only posts made with Reelay. `announce`: others are found, but not their files. `poll`, `push`: all.',
    }),
    options: z.boolean().meta({ description: 'Whether posts have options for this platform.' }),
  })
  .meta({ id: 'ConnectablePlatform' });

export const listCatalog = operation({
  id: 'listCatalog',
  method: 'GET',
  path: '/platform/catalog',
  tag: 'Platforms',
  summary: 'Supported platforms',
  description: 'What each platform accepts, how its accounts are connected, and whether they can be connected now.',
  auth: 'caller',
  writes: false,
  response: z.object({ data: z.array(connectable) }),
  errors: [],
  async handle({ connectors, apps, config: { publicUrl } }) {
    const data = Object.values(connectors).map((connector) => ({
      ...waysToConnect(connector, (app) => apps.source(app) !== null),
      configured: setupOf(connector, { apps, publicUrl }).configured,
    }));
    return { data };
  },
});

const labelled = <Titled extends { title: FormText }>(given: Titled) => ({ ...given, label: given.title.en });

const asked = <Input extends { title: FormText; hint?: FormText }>(input: Input) => ({
  ...labelled(input),
  hint: input.hint ?? null,
});

/** The values that can be chosen now; all of them while no application is set up. */
function offered(values: NonNullable<Ask['values']>, isSetUp: (app: string) => boolean) {
  const usable = values.filter(({ app }) => app === undefined || isSetUp(app));
  return (usable.length > 0 ? usable : values).map(({ value, title }) => labelled({ value, title }));
}

function waysToConnect(
  { id, name, oauth, credentials, capabilities, options }: Connector,
  isSetUp: (app: string) => boolean,
) {
  const { video, caption, watch } = capabilities;
  return {
    platform: id,
    name,
    consent:
      oauth?.asks.map(({ values, ...ask }) => ({
        ...asked(ask),
        secret: false,
        values: values ? offered(values, isSetUp) : null,
      })) ?? null,
    login: credentials?.fields.map((each) => ({ ...asked(each), values: null })) ?? null,
    limits: {
      caption: caption.maxLength,
      minSeconds: video.minSeconds ?? null,
      maxSeconds: video.maxSeconds ?? null,
      maxBytes: video.maxBytes,
    },
    finds: watch,
    options: options !== undefined,
  };
}
