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
  /** The identity of each account: users may share an account on a platform. */
  identities: ReadonlyMap<string, string>;
}

export interface Finding {
  problem: string;
  targetIds: string[];
  /** What platforms show or should show. */
  posts: Published[];
}

export interface Verdict {
  /**
   * Targets reported as posted but not published, accepted posts that vanished, and reposts that were never created.
   */
  lost: Finding[];
  /** Published more often than the service accounts for. */
  doubled: Finding[];
  /** Targets that never finished. */
  stuck: Finding[];
}

const FINAL = ['posted', 'failed'];

export function audit({ targets, published, accepted, rules, identities }: Evidence): Verdict {
  const groups = new Map<string, { post: Published; targets: AuditedTarget[]; published: number }>();
  const groupOf = (entry: Published) => {
    const post = postOf(entry);
    const key = keyOf(post);
    const found = groups.get(key) ?? { post, targets: [], published: 0 };
    groups.set(key, found);
    return found;
  };
  for (const target of targets) groupOf(target).targets.push(target);
  for (const entry of published) groupOf(entry).published++;
  const lost: Finding[] = [];
  const doubled: Finding[] = [];
  for (const [key, group] of groups) {
    const posted = group.targets.filter(({ state }) => state === 'posted').length;
    const unknown = group.targets.filter(isUndecided).length;
    const ids = group.targets.map(({ id }) => id);
    const problem = `${key}: published ${group.published}, posted ${posted}, unknown ${unknown} (${ids.join(', ')})`;
    const finding = { problem, targetIds: ids, posts: [group.post] };
    if (group.published < posted) lost.push(finding);
    if (group.published > posted + unknown) doubled.push(finding);
  }
  const stuck = targets
    .filter(({ state }) => !FINAL.includes(state))
    .map((target) => about([target], `${target.id} is ${target.state}`));
  return {
    lost: [...lost, ...missingPosts(targets, accepted), ...missingReposts(targets, rules, identities)],
    doubled,
    stuck,
  };
}

/** Identifies a text of an account on a platform. */
export function keyOf({ platform, username, text }: Published): string {
  return JSON.stringify([platform, username.toLowerCase(), text]);
}

function postOf({ platform, username, text }: Published): Published {
  return { platform, username, text };
}

function about(targets: readonly AuditedTarget[], problem: string): Finding {
  return { problem, targetIds: targets.map(({ id }) => id), posts: targets.map(postOf) };
}

/** Whether the target's outcome is open: the platform may or may not show the post. */
function isUndecided({ state, code }: AuditedTarget): boolean {
  return !FINAL.includes(state) || code === 'outcome_unknown';
}

function missingPosts(targets: readonly AuditedTarget[], accepted: Evidence['accepted']): Finding[] {
  const posts = Map.groupBy(targets, ({ postId }) => postId);
  return accepted.flatMap(({ postId, targets: count }) => {
    const found = posts.get(postId) ?? [];
    return found.length === count ? [] : [about(found, `The post ${postId} was accepted with ${count} targets.`)];
  });
}

/**
 * If the source of a rule was posted, there must be a target on each of its destinations, regardless of its outcome. It
 * may be of another user who shares the destination: content reaches an identity once.
 */
function missingReposts(
  targets: readonly AuditedTarget[],
  rules: Evidence['rules'],
  identities: Evidence['identities'],
): Finding[] {
  const origins = Map.groupBy(targets, ({ originId }) => originId);
  return [...origins].flatMap(([originId, group]) =>
    rules.flatMap(({ from, to }) => {
      if (!group.some(({ accountId, state }) => accountId === from && state === 'posted')) return [];
      return to.flatMap((accountId) =>
        group.some((each) => identities.get(each.accountId) === identities.get(accountId))
          ? []
          : [about(group, `${originId} was not reposted to ${accountId}.`)],
      );
    }),
  );
}
