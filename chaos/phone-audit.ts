/** Compares what phones posted with what the platforms show: rules must bring each file to each destination once. Pure. */
import { type CircuitRule, type Place, placeKey, reachOf } from './circuits.ts';
import type { Duty } from './rule-duty.ts';

/** A file that phones have posted, with the rules of its circuit. */
export interface AuditedVideo {
  name: string;
  sha256: string;
  posts: readonly (Place & { id: string })[];
  /** With what each must do about this file. */
  rules: readonly (Pick<CircuitRule, 'from' | 'to'> & { duty: Duty })[];
}

export interface ShownVideo extends Place {
  sha256: string;
}

/** A post that the service found on a watched account. */
export interface FoundPost extends Place {
  id: string;
  state: string;
  /** Number of files that were downloaded from it. */
  files: number;
  /** `reposted`, or the state with its reason, for each rule. */
  decisions: readonly string[];
}

/** A repost that ended without being published. */
export interface FailedRepost extends Place {
  code: string;
}

export interface PhoneEvidence {
  videos: readonly AuditedVideo[];
  shown: readonly ShownVideo[];
  /** Failed reposts of each file, by its name. */
  failures: ReadonlyMap<string, readonly FailedRepost[]>;
}

export interface PhoneVerdict {
  lost: string[];
  doubled: string[];
  /** Number of reposts that are shown. */
  reposted: number;
  /** Number of reposts that failed, by error code. */
  failed: Map<string, number>;
  /** Number of files for each duty that a rule has about them. */
  duties: Map<Duty, number>;
}

/**
 * A file must be once on each account that the rules bring it to from the accounts where phones posted it, once on these,
 * and nowhere else. What a rule may do or not is allowed on at most one post. A repost that the service reports as failed may be missing, and so may what follows it in a chain.
 */
export function auditPhone({ videos, shown, failures }: PhoneEvidence): PhoneVerdict {
  const counts = Map.groupBy(shown, ({ sha256 }) => sha256);
  const verdict: PhoneVerdict = { lost: [], doubled: [], reposted: 0, failed: new Map(), duties: new Map() };
  for (const video of videos) {
    const places = Map.groupBy(counts.get(video.sha256) ?? [], placeKey);
    const missing = failures.get(video.name) ?? [];
    const excused = new Set(missing.map(placeKey));
    const certain = video.rules.filter(({ from, duty }) => duty === 'must' && !excused.has(placeKey(from)));
    const possible = video.rules.filter(({ duty }) => duty !== 'never');
    const must = new Set(reachOf(video.posts, certain).map(placeKey));
    const may = new Set([...video.posts, ...reachOf(video.posts, possible)].map(placeKey));
    for (const place of video.posts) must.add(placeKey(place));
    for (const key of may) {
      const count = places.get(key)?.length ?? 0;
      if (count > 1) verdict.doubled.push(`${video.name} is ${count} times on ${key}.`);
      if (count === 0 && must.has(key) && !excused.has(key)) verdict.lost.push(`${video.name} is not on ${key}.`);
      if (count > 0 && !video.posts.some((place) => placeKey(place) === key)) verdict.reposted++;
    }
    for (const [key, found] of places)
      if (!may.has(key)) verdict.doubled.push(`${video.name} is ${found.length} times on ${key}, where no rule led.`);
    for (const { duty } of video.rules) verdict.duties.set(duty, (verdict.duties.get(duty) ?? 0) + 1);
    for (const { code } of missing) verdict.failed.set(code, (verdict.failed.get(code) ?? 0) + 1);
  }
  return verdict;
}

/** Key of a post in maps. Telegram numbers the posts of each channel; its feed adds the channel. */
export const postKey = ({ id, ...place }: Place & { id: string }) =>
  `${placeKey(place)} ${id.slice(id.lastIndexOf('/') + 1)}`;

/** The results of the posts from phones, for the report. */
export function sumPhone(videos: readonly AuditedVideo[], found: readonly FoundPost[]) {
  const ids = new Set(videos.flatMap(({ posts }) => posts.map(postKey)));
  const mine = found.filter((post) => ids.has(postKey(post)));
  const skipped = new Map<string, number>();
  for (const decision of mine.flatMap(({ decisions }) => decisions))
    if (decision !== 'reposted') skipped.set(decision, (skipped.get(decision) ?? 0) + 1);
  return {
    posts: ids.size,
    found: mine.length,
    downloaded: mine.filter(({ files }) => files > 0).length,
    reposted: mine.filter(({ decisions }) => decisions.includes('reposted')).length,
    skipped,
  };
}
