import { z } from 'zod';
import { apiError } from '../../errors/reelay-error.ts';
import { idText } from '../../http/operation.ts';
import { operation } from '../operation.ts';

export const removeApplication = operation({
  id: 'removeApplication',
  method: 'DELETE',
  path: '/platform/setup/{name}',
  tag: 'Platforms',
  summary: 'Remove an application',
  description:
    'For the operator: removes a stored application. The access of accounts connected with it can no longer be refreshed.',
  auth: 'operator-session',
  writes: true,
  params: z.object({ name: idText }),
  response: z.object({}),
  errors: ['not_found'],
  async handle({ apps }, { params }) {
    if (!(await apps.remove(params.name))) throw apiError('application_not_stored');
    return {};
  },
  audit: ({ params }) => ({ action: 'application.remove', subject: params.name }),
});
