/** The load of a run: posts over HTTP, retried with their idempotency keys until they are accepted. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChaosUser } from './accounts.ts';
import type { Random } from './random.ts';

export interface Accepted {
  postId: string;
  targets: number;
}

export interface Rule {
  id: string;
  from: string;
  to: string[];
}

export interface PostPlan {
  user: ChaosUser;
  accountIds: string[];
  text: string;
  /** Delay in ms from the time of sending; null: post immediately. */
  inMs: number | null;
}

const MAX_ATTEMPTS = 600;
const ATTEMPT_MS = 60_000;
const MAX_ACCOUNTS = 12;

/** Plans posts with `targets` targets in total. Some are scheduled, some repeat the text of the previous post. */
export function planPosts(users: readonly ChaosUser[], targets: number, seed: number, random: Random): PostPlan[] {
  const plans: PostPlan[] = [];
  for (let left = targets; left > 0; ) {
    const user = random.pick(users);
    const chosen = random.sample(user.accounts, Math.min(left, 1 + random.below(MAX_ACCOUNTS)));
    const last = plans.at(-1);
    const repeats = last !== undefined && random.chance(0.05);
    plans.push({
      user: repeats ? last.user : user,
      accountIds: repeats ? last.accountIds.slice(0, left) : chosen.map(({ id }) => id),
      text: repeats ? last.text : `Run ${seed}, take ${plans.length + 1}`,
      inMs: random.chance(0.2) ? 1_000 + random.below(20_000) : null,
    });
    left -= plans.at(-1)?.accountIds.length ?? left;
  }
  return plans;
}

/** Adds a chain of three accounts and a diamond for each user. */
export async function addRules(url: string, users: readonly ChaosUser[], random: Random): Promise<Rule[]> {
  const rules: Rule[] = [];
  for (const { key, accounts } of users) {
    const [a = '', b = '', c = '', d = ''] = random.sample(accounts, 4).map(({ id }) => id);
    for (const rule of [
      { from: a, to: [b, c] },
      { from: b, to: [d] },
      { from: c, to: [d] },
    ])
      rules.push(await addRule(url, key, rule));
  }
  return rules;
}

/** @throws Error if the rule is refused */
export async function addRule(
  url: string,
  key: string,
  rule: { from: string; to: string[] },
  options: object = {},
): Promise<Rule> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ ...rule, options });
  const response = await fetch(`${url}/api/v1/repost/add`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`A rule was refused: ${await response.text()}`);
  return { id: ((await response.json()) as { id: string }).id, ...rule };
}

/**
 * Sends one post until it is accepted.
 * @param now ms since the epoch by the service's clock
 * @throws Error if it is rejected or never accepted
 */
export async function send(url: string, video: Uint8Array, plan: PostPlan, now: () => number): Promise<Accepted> {
  const requestNow = () => ({
    scheduled: plan.inMs === null ? null : String(Math.round(now()) + plan.inMs),
    headers: { authorization: `Bearer ${plan.user.key}`, 'idempotency-key': randomUUID() },
  });
  let request = requestNow();
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const response = await post(`${url}/api/v1/post`, request.headers, formOf(video, plan, request.scheduled));
    if (response?.status === 200) {
      const { historyId, result } = response.body as { historyId: string; result: unknown[] };
      return { postId: historyId, targets: result.length };
    }
    // No earlier attempt was accepted, because its response would have been replayed.
    const late = (response?.body as { code?: string } | undefined)?.code === 'scheduled_in_past';
    if (late) request = requestNow();
    const passes = late || !response || response.status >= 500 || response.status === 409 || response.status === 429;
    if (!passes) throw new Error(`A post was refused: ${response.status} ${JSON.stringify(response.body)}`);
    await pause(Math.min(200 * attempt, 2_000));
  }
  throw new Error('A post was not accepted in time.');
}

function formOf(video: Uint8Array, { accountIds, text }: PostPlan, scheduled: string | null): FormData {
  const form = new FormData();
  form.append('video', new Blob([Uint8Array.from(video)], { type: 'video/mp4' }), 'video.mp4');
  form.append('platforms', JSON.stringify(accountIds));
  form.append('description', text);
  if (scheduled !== null) form.append('scheduled', scheduled);
  return form;
}

/** @returns null without a complete response */
async function post(url: string, headers: Record<string, string>, body: FormData) {
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(ATTEMPT_MS) });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? (JSON.parse(text) as object) : text };
  } catch {
    return null;
  }
}
