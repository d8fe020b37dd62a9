import { z } from 'zod';
import { storeApplication } from '../../accounts/apps/platform-setup.ts';
import { idText, operation } from '../../http/operation.ts';

const half = z.string().trim().min(1).max(2_000);

export const setApplication = operation({
  id: 'setApplication',
  method: 'PUT',
  path: '/platform/setup/{name}',
  tag: 'Platforms',
  summary: 'Set an application',
  description:
    'For the operator: stores, sealed, the id and secret of the application that you registered at a platform. One that the environment names goes before it. Other nodes know it within fifteen seconds.',
  auth: 'operator',
  writes: true,
  params: z.object({ name: idText.meta({ description: 'As `applications` of the list names it.' }) }),
  body: z.strictObject({ clientId: half, clientSecret: half }).meta({ id: 'SetApplication' }),
  answer: z.object({}),
  errors: ['not_found'],
  async handle({ apps, connectors }, { params, body }) {
    await storeApplication({ apps, connectors }, params.name, body);
    return {};
  },
  audit: ({ params }) => ({ action: 'application.set', subject: params.name }),
});
