export const PLAN_NAMES = ['FREE', 'STARTER', 'INFLUENCER', 'PRO'] as const;

export type PlanName = (typeof PLAN_NAMES)[number];
