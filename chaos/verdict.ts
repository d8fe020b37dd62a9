/** Reads what the service and the platforms have at the end of a run, and audits it. */
import type { Database } from '../packages/server/src/db/database.ts';
import { type AuditedTarget, audit, type Finding } from './audit.ts';
import { auditChanges, canceledPosts } from './change-audit.ts';
import { type CircuitRule, placeKey } from './circuits.ts';
import {
  readChanged,
  readFailures,
  readFound,
  readIdentities,
  readPublished,
  readTargets,
  readWaiting,
} from './collect.ts';
import type { Rule } from './load.ts';
import type { Done } from './load-phase.ts';
import type { PostedVideo } from './phone.ts';
import { type AuditedVideo, auditPhone, type PhoneVerdict, postKey, sumPhone } from './phone-audit.ts';
import type { Platforms } from './platforms.ts';
import { type Duty, dutyOf, type RuleChange } from './rule-duty.ts';

export interface RunVerdict {
  lost: string[];
  doubled: string[];
  stuck: string[];
  /** Changes that did not hold. */
  broken: string[];
  targets: AuditedTarget[];
  /** Number of posts on the platforms. */
  published: number;
  phones: PhoneVerdict;
  phoneSums: ReturnType<typeof sumPhone>;
  /** Findings about targets. */
  findings: Finding[];
  /** Files from phones with a finding. */
  troubled: AuditedVideo[];
}

export async function readVerdict(
  { db, platforms }: { db: Database; platforms: Platforms },
  { accepted, postedVideos, changed, ruleChanges }: Done,
  rules: readonly Rule[],
): Promise<RunVerdict> {
  const left = await readTargets(db);
  const known = new Set(left.map(({ id }) => id));
  const targets = [...left, ...changed.flatMap(({ removed }) => removed.filter(({ id }) => !known.has(id)))];
  const published = await readPublished(platforms.all);
  const gone = canceledPosts(changed);
  const kept = accepted.filter(({ postId }) => !gone.has(postId));
  const byPhone = new Set(postedVideos.flatMap(({ posts }) => posts.map(postKey)));
  const byService = published.filter((post) => !byPhone.has(postKey(post)));
  const identities = await readIdentities(db);
  const verdict = audit({ targets, published: byService, accepted: kept, rules, identities });
  const changedIds = changed.map(({ postId }) => postId);
  const videos = postedVideos.map(({ plan: { name }, circuit, sha256, posts }): AuditedVideo => {
    const withDuties = circuit.rules.map((rule) => ({
      ...rule,
      duty: dutyOn(posts, rule, ruleChanges.get(rule) ?? []),
    }));
    return { name, sha256, posts, rules: withDuties };
  });
  const phones = auditPhone({ videos, shown: published, failures: await readFailures(db, videos) });
  const isTroubled = ({ name }: AuditedVideo) =>
    [...phones.lost, ...phones.doubled].some((text) => text.startsWith(`${name} `));
  const problems = (findings: readonly Finding[]) => findings.map(({ problem }) => problem);
  return {
    lost: [...problems(verdict.lost), ...phones.lost],
    doubled: [...problems(verdict.doubled), ...phones.doubled],
    stuck: [...problems(verdict.stuck), ...(await readWaiting(db))],
    broken: auditChanges(changed, await readChanged(db, changedIds), byService),
    targets,
    published: published.length,
    phones,
    phoneSums: sumPhone(videos, await readFound(db)),
    findings: [...verdict.lost, ...verdict.doubled, ...verdict.stuck],
    troubled: videos.filter(isTroubled),
  };
}

/** What a rule does about a file, by the posts on its source. */
function dutyOn(posts: PostedVideo['posts'], { from }: CircuitRule, ruleChanges: readonly RuleChange[]): Duty {
  const post = posts.find((each) => placeKey(each) === placeKey(from));
  return post ? dutyOf(ruleChanges, post.moment) : 'must';
}
