import { z } from 'zod';
import { idText } from '../../http/operation.ts';
import { operation } from '../operation.ts';
import { half } from '../platform/setApplication.ts';

export const checkApplication = operation({
  id: 'checkApplication',
  method: 'POST',
  path: '/operator/setup/{platform}/{name}/check',
  tag: 'Operator',
  summary: 'Test an application',
  description:
    'Asks the platform whether it accepts an id and a secret, before they are stored, or those that are set. Nothing is stored. Requires a session of the operator.',
  auth: 'operator-session',
  writes: true,
  params: z.object({ platform: idText, name: idText }),
  body: z
    .strictObject({
      application: z
        .strictObject({ clientId: half, clientSecret: half })
        .nullable()
        .meta({ description: 'null: the id and the secret that are set.' }),
    })
    .meta({ id: 'CheckApplication' }),
  response: z.object({
    data: z
      .object({
        verdict: z.enum(['verified', 'rejected', 'unverified']).meta({
          description: '`verified` only if the platform’s response proves the id and the secret.',
        }),
        message: z.string().meta({ description: 'With the platform’s own words.' }),
      })
      .meta({ id: 'ApplicationCheck' }),
  }),
  errors: ['not_found'],
  async handle({ accounts, renderMessage }, { params, body }) {
    const { verdict, message } = await accounts.checkApplication({ ...params, app: body.application });
    return { data: { verdict, message: renderMessage(message) } };
  },
  audit: ({ params }) => ({ action: 'application.check', subject: params.name }),
});
