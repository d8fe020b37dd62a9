export type PlanName = 'FREE' | 'STARTER' | 'INFLUENCER' | 'PRO';

export const PLAN_NAMES = ['FREE', 'STARTER', 'INFLUENCER', 'PRO'] as const satisfies readonly PlanName[];
