/** Compares what the service reports as published with what the platforms received. Pure. */

/** A target at the end of the run, from the service's database. */
export interface AuditedTarget {
  id: string;
  postId: string;
  originId: string;
  accountId: string;
  platform: string;
  username: string;
  text: string;
  state: string;
  /** Error code of a failed target. */
  code: string | null;
}

/** A post that a simulated platform shows. */
export interface Published {
  platform: string;
  username: string;
  text: string;
}

export interface Evidence {
  targets: readonly AuditedTarget[];
  published: readonly Published[];
  /** Posts that the API accepted: id and number of targets. */
  accepted: readonly { postId: string; targets: number }[];
  rules: readonly { from: string; to: readonly string[] }[];
}

export interface Verdict {
  /**
   * Targets reported as posted but not published, accepted posts that vanished, and reposts that were never created.
   */
  lost: string[];
  /** Published more often than the service accounts for. */
  doubled: string[];
  /** Targets that never finished. */
  stuck: string[];
}

const FINAL = ['posted', 'failed'];

export function audit({ targets, published, accepted, rules }: Evidence): Verdict {
  const groups = new Map<string, { targets: AuditedTarget[]; published: number }>();
  const groupOf = ({ platform, username, text }: Published) => {
    const key = JSON.stringify([platform, username.toLowerCase(), text]);
    const found = groups.get(key) ?? { targets: [], published: 0 };
    groups.set(key, found);
    return found;
  };
  for (const target of targets) groupOf(target).targets.push(target);
  for (const entry of published) groupOf(entry).published++;
  const lost: string[] = [];
  const doubled: string[] = [];
  for (const [key, group] of groups) {
    const posted = group.targets.filter(({ state }) => state === 'posted').length;
    const unknown = group.targets.filter(isUndecided).length;
    const told = `${key}: published ${group.published}, posted ${posted}, unknown ${unknown} (${group.targets.map(({ id }) => id).join(', ')})`;
    if (group.published < posted) lost.push(told);
    if (group.published > posted + unknown) doubled.push(told);
  }
  const stuck = targets.filter(({ state }) => !FINAL.includes(state)).map(({ id, state }) => `${id} is ${state}`);
  return { lost: [...lost, ...missingPosts(targets, accepted), ...missingReposts(targets, rules)], doubled, stuck };
}

/** Whether the target's outcome is open: the platform may or may not show the post. */
function isUndecided({ state, code }: AuditedTarget): boolean {
  return !FINAL.includes(state) || code === 'outcome_unknown';
}

function missingPosts(targets: readonly AuditedTarget[], accepted: Evidence['accepted']): string[] {
  const counts = Map.groupBy(targets, ({ postId }) => postId);
  return accepted.flatMap(({ postId, targets: count }) =>
    counts.get(postId)?.length === count ? [] : [`The post ${postId} was accepted with ${count} targets.`],
  );
}

/**
 * If the source of a rule was posted, there must be a target on each of its destinations, regardless of its outcome.
 */
function missingReposts(targets: readonly AuditedTarget[], rules: Evidence['rules']): string[] {
  const origins = Map.groupBy(targets, ({ originId }) => originId);
  return [...origins].flatMap(([originId, group]) =>
    rules.flatMap(({ from, to }) => {
      if (!group.some(({ accountId, state }) => accountId === from && state === 'posted')) return [];
      return to.flatMap((accountId) =>
        group.some((each) => each.accountId === accountId) ? [] : [`${originId} was not reposted to ${accountId}.`],
      );
    }),
  );
}
