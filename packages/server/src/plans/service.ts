/**
 * Plan limits. Each is checked in the transaction that uses it, so that two requests cannot take the last one. All
 * functions except `assertPostsLeft` lock the user's row or the month's counter: call them after locking lanes, targets
 * and rules.
 */
import type { Plan, Plans } from '../config/plans.ts';
import type { Queryable } from '../db/database.ts';
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import { type LIMIT_UNITS, unitOf } from '../messages/error-parts.ts';
import {
  countAccounts,
  countRules,
  countScheduledAhead,
  lockPlan,
  postsThisMonth,
  readPlan,
  returnPosts,
  takePost,
  uncountHistory,
} from './plan-store.ts';

/** Limit names, as in error responses. */
export type LimitName = keyof typeof LIMIT_UNITS;

/** A limit of a plan and how much of it is used. */
export interface LimitUse {
  name: LimitName;
  value: number;
  used: number;
  /** null for a limit that does not reset. */
  resetsAt: Date | null;
}

/** Returns all limits of a plan with the user's usage, without locks. */
export async function limitUses(db: Queryable, plan: Plan, userId: string): Promise<LimitUse[]> {
  const [posts, accounts, rules, ahead] = await Promise.all([
    postsThisMonth(db, userId),
    countAccounts(db, userId),
    countRules(db, userId),
    countScheduledAhead(db, userId),
  ]);
  return [
    { name: 'posts_per_month', value: plan.postsPerMonth, used: posts.used, resetsAt: posts.resets_at },
    { name: 'connected_accounts', value: plan.connectedAccounts, used: accounts, resetsAt: null },
    { name: 'rules', value: plan.rules, used: rules, resetsAt: null },
    { name: 'scheduled_ahead', value: plan.scheduledAhead, used: ahead, resetsAt: null },
  ];
}

/** @throws ReelayError `plan_limit_reached` when no post is left this month. Counts nothing. */
export async function assertPostsLeft(db: Queryable, plans: Plans, userId: string): Promise<void> {
  const plan = planNamed(plans, await readPlan(db, userId));
  const { used, resets_at } = await postsThisMonth(db, userId);
  if (used >= plan.postsPerMonth) throw reached('posts_per_month', plan.postsPerMonth, used, resets_at);
}

/** Counts one post in this month. @throws ReelayError `plan_limit_reached`, without counting */
export async function countPost(tx: Queryable, plans: Plans, userId: string): Promise<void> {
  const plan = planNamed(plans, await readPlan(tx, userId));
  if (await takePost(tx, userId, plan.postsPerMonth)) return;
  const { used, resets_at } = await postsThisMonth(tx, userId);
  throw reached('posts_per_month', plan.postsPerMonth, used, resets_at);
}

/** Returns counted posts to the month they were counted in. @param countedAt when they were accepted */
export function giveBack(tx: Queryable, userId: string, countedAt: Date, posts = 1): Promise<void> {
  return returnPosts(tx, userId, countedAt, posts);
}

/** Posts that counted in one month. */
export interface RemovedPosts {
  /** A moment of the month. */
  countedAt: Date;
  posts: number;
}

/** Gives back posts that were removed, and removes them from the counter of the history. */
export async function giveBackRemoved(tx: Queryable, userId: string, removed: readonly RemovedPosts[]): Promise<void> {
  for (const { countedAt, posts } of removed) await giveBack(tx, userId, countedAt, posts);
  const total = removed.reduce((sum, { posts }) => sum + posts, 0);
  if (total > 0) await uncountHistory(tx, userId, total);
}

/** @throws ReelayError `plan_limit_reached` when one more connected account would exceed the limit */
export function assertAccountsLeft(tx: Queryable, plans: Plans, userId: string): Promise<void> {
  return assertLeft(tx, plans, userId, 'connected_accounts', (plan) => plan.connectedAccounts, countAccounts);
}

/** @throws ReelayError `plan_limit_reached` when one more rule would exceed the limit */
export function assertRulesLeft(tx: Queryable, plans: Plans, userId: string): Promise<void> {
  return assertLeft(tx, plans, userId, 'rules', (plan) => plan.rules, countRules);
}

/** @throws ReelayError `plan_limit_reached` when one more scheduled post would exceed the limit */
export function assertScheduledLeft(tx: Queryable, plans: Plans, userId: string): Promise<void> {
  return assertLeft(tx, plans, userId, 'scheduled_ahead', (plan) => plan.scheduledAhead, countScheduledAhead);
}

async function assertLeft(
  tx: Queryable,
  plans: Plans,
  userId: string,
  name: LimitName,
  mostOf: (plan: Plan) => number,
  count: (tx: Queryable, userId: string) => Promise<number>,
): Promise<void> {
  const most = mostOf(planNamed(plans, await lockPlan(tx, userId)));
  const used = await count(tx, userId);
  if (used >= most) throw reached(name, most, used, null);
}

function planNamed(plans: Plans, name: keyof Plans | undefined): Plan {
  // The user was deleted while the request ran.
  if (!name) throw new ReelayError('unauthorized');
  return plans[name];
}

function reached(name: LimitName, value: number, used: number, resetsAt: Date | null): ReelayError {
  const limit = { name, value, used, resetsAt: resetsAt?.toISOString() ?? null };
  return apiError('plan_allows', { value, unit: unitOf(name, { value }), used }, { extras: { limit } });
}
