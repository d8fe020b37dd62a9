import { z } from 'zod';
import { PLAN_NAMES } from '../../config/plan-names.ts';
import { idText } from '../../http/operation.ts';
import { changePlan } from '../../operator/users.ts';
import { operation } from '../operation.ts';

export const setUserPlan = operation({
  id: 'setUserPlan',
  method: 'PUT',
  path: '/operator/users/{id}/plan',
  tag: 'Operator',
  summary: "Change a user's plan",
  description:
    'Existing data beyond the limits of the new plan stays; nothing further is accepted. Requires a session of the operator.',
  auth: 'operator-session',
  writes: true,
  params: z.object({ id: idText }),
  body: z.strictObject({ plan: z.enum(PLAN_NAMES) }).meta({ id: 'SetUserPlan' }),
  response: z.object({}),
  errors: ['unknown_user'],
  async handle({ db }, { params, body }) {
    await changePlan(db, params.id, body.plan);
    return {};
  },
  audit: ({ params, body }) => ({ action: 'user.plan', subject: `${params.id} ${body.plan}` }),
});
