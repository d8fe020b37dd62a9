import { z } from 'zod';
import { operation } from '../../operation.ts';
import { controlOf, faultSwitch } from './schemas.ts';

export const getSandbox = operation({
  id: 'getSandbox',
  method: 'GET',
  path: '/operator/sandbox',
  tag: 'Sandbox',
  summary: 'The sandbox',
  description: 'The simulated platforms, and the faults that are switched on. Requires a session of the operator.',
  auth: 'operator-session',
  writes: false,
  response: z.object({
    data: z
      .object({
        platforms: z.array(z.string()),
        faultKinds: z.array(z.string()).meta({
          description:
            '`…-before`: the platform does not act on the request. `…-after`: it does, and the response is lost.',
        }),
        faults: z.array(faultSwitch),
      })
      .meta({ id: 'SandboxStatus' }),
  }),
  errors: ['not_found'],
  async handle(context) {
    const { platforms, kinds, faults } = controlOf(context);
    return { data: { platforms: [...platforms], faultKinds: [...kinds], faults: await faults() } };
  },
});
