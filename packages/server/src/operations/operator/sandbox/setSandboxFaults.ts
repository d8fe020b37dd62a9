import { z } from 'zod';
import { operation } from '../../operation.ts';
import { controlOf, faultSwitch } from './schemas.ts';

const MAX_FAULTS = 100;

export const setSandboxFaults = operation({
  id: 'setSandboxFaults',
  method: 'PUT',
  path: '/operator/sandbox/faults',
  tag: 'Sandbox',
  summary: 'Inject faults',
  description:
    'Replaces the faults of all simulated platforms. They apply until they are replaced, in every process within a second. Requires a session of the operator.',
  auth: 'operator-session',
  writes: true,
  body: z.strictObject({ faults: z.array(faultSwitch).max(MAX_FAULTS) }).meta({ id: 'SetSandboxFaults' }),
  response: z.object({ data: z.array(faultSwitch) }),
  errors: ['not_found'],
  async handle(context, { body }) {
    const control = controlOf(context);
    await control.setFaults(body.faults);
    return { data: await control.faults() };
  },
  audit: ({ body }) => ({ action: 'sandbox.faults', subject: `${body.faults.length}` }),
});
