/** Schemas shared by the operations of the sandbox. */
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { apiError } from '../../../errors/reelay-error.ts';

/** A fault that is switched on. */
export const faultSwitch = z.strictObject({
  platform: z.string(),
  kind: z.string().meta({ description: 'One of `faultKinds` of the sandbox.', examples: ['server-error'] }),
  share: z.number().min(0).max(1).meta({ description: 'Share of the requests that meet the fault.' }),
});

/** @throws ReelayError `not_found` if the sandbox is off */
export function controlOf({ sandbox }: Pick<Context, 'sandbox'>) {
  if (!sandbox) throw apiError('sandbox_disabled');
  return sandbox.control;
}
