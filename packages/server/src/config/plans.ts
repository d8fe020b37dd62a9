import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { PlanName } from './plan-names.ts';

const limit = z.number().int().min(0);
const plan = z.strictObject({
  postsPerMonth: limit,
  connectedAccounts: limit,
  rules: limit,
  scheduledAhead: limit,
  requestsPerHour: limit,
  apiAccess: z.boolean(),
});
const plans = z.strictObject({ FREE: plan, STARTER: plan, INFLUENCER: plan, PRO: plan });

export type Plan = z.infer<typeof plan>;
export type Plans = Record<PlanName, Plan>;

/** Loads the table of plans: the operator's file, or the default. @throws Error naming PLANS_FILE and its problem */
export function loadPlans(file: string | undefined): Plans {
  try {
    return plans.parse(JSON.parse(readFileSync(file ?? new URL('./plans.json', import.meta.url), 'utf8')));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw new Error(`PLANS_FILE cannot be used: ${why}`);
  }
}
