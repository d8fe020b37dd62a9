import { z } from 'zod';
import { storeApplication } from '../../accounts/apps/platform-setup.ts';
import { idText } from '../../http/operation.ts';
import { operation } from '../operation.ts';

export const half = z.string().trim().min(1).max(2_000);

export const setApplication = operation({
  id: 'setApplication',
  method: 'PUT',
  path: '/platform/setup/{name}',
  tag: 'Platforms',
  summary: 'Set an application',
  description:
    'For the operator: stores the id and secret of an application registered at a platform, encrypted. Environment variables take precedence. Other nodes use it within fifteen seconds.',
  auth: 'operator-session',
  writes: true,
  params: z.object({ name: idText.meta({ description: 'As in `applications` of the list.' }) }),
  body: z.strictObject({ clientId: half, clientSecret: half }).meta({ id: 'SetApplication' }),
  response: z.object({}),
  errors: ['not_found'],
  async handle({ apps, connectors }, { params, body }) {
    await storeApplication({ apps, connectors }, params.name, body);
    return {};
  },
  audit: ({ params }) => ({ action: 'application.set', subject: params.name }),
});
