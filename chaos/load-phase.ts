/** The disturbed part of a run: posts, phones, and users who change their minds, during the disturbances. */
import { setTimeout as pause } from 'node:timers/promises';
import type { AccountService, ChaosUser } from './accounts.ts';
import type { AddedRule } from './circuit-rules.ts';
import type { Circuit, CircuitRule } from './circuits.ts';
import { readTargets } from './collect.ts';
import { type Disturbance, disturb, type Stage } from './disturbances.ts';
import { type Accepted, planPosts, type Rule, send } from './load.ts';
import type { ChaosOptions } from './options.ts';
import { repeatInOutage } from './outage.ts';
import { orderVideos, type PostedVideo, postVideo } from './phone.ts';
import type { VideoFile } from './phone-videos.ts';
import type { Platforms } from './platforms.ts';
import { type ChangeDeps, changePost, type PostChange, planPostChanges } from './post-changes.ts';
import type { Random } from './random.ts';
import { changeRule } from './rule-changes.ts';
import type { RuleChange } from './rule-duty.ts';

export interface LoadPhase {
  options: ChaosOptions;
  plan: readonly Disturbance[];
  stage: Stage;
  platforms: Platforms;
  accountService: AccountService;
  users: readonly ChaosUser[];
  circuits: readonly Circuit[];
  /** Ids of the circuits' accounts: see `accountKey`. */
  circuitAccounts: ReadonlyMap<string, string>;
  circuitRules: readonly AddedRule[];
  /** Rules that nobody changes. */
  steady: readonly Rule[];
  /** The video of posts through the service. */
  video: Uint8Array;
  videoOf(plan: Circuit['videos'][number]): VideoFile;
  randomOf(part: number): Random;
}

/** What was done, for the audit. */
export interface Done {
  accepted: Accepted[];
  postedVideos: PostedVideo[];
  changed: PostChange[];
  ruleChanges: ReadonlyMap<CircuitRule, readonly RuleChange[]>;
}

/** Number of posts sent concurrently. */
const SENDERS = 3;

/** Posts and changes are spread over the disturbances, so that all last equally long. */
export async function runLoad(phase: LoadPhase): Promise<Done> {
  const { options, plan, stage, platforms, accountService, users, circuits, circuitAccounts, circuitRules, steady } =
    phase;
  const { video, videoOf, randomOf } = phase;
  const { db, clock } = stage.database;
  const { url } = platforms;
  let disturbed = 0;
  const waitFor = async (share: number) => {
    while (share > (disturbed + 1) / (plan.length + 1)) await pause(50);
  };
  const posts = planPosts(users, options.targets, options.seed, randomOf(5));
  const postChanges = planPostChanges(posts, options.changes, randomOf(9));
  const videos = orderVideos(circuits, randomOf(8));
  const accepted: Accepted[] = [];
  const postedVideos: PostedVideo[] = [];
  const changing: Promise<PostChange>[] = [];
  const deps: ChangeDeps = {
    ...{ url, accountService, now: clock.now, readPost: (postId) => repeatInOutage(() => readTargets(db, postId)) },
    fixed: new Set(steady.flatMap(({ from, to }) => [from, ...to])),
  };
  const queue = posts.entries();
  const sendAll = async () => {
    for (const [index, each] of queue) {
      await waitFor(index / posts.length);
      const sent = await send(url, video, each, clock.now);
      accepted.push(sent);
      const planned = postChanges.get(index);
      if (!planned) continue;
      const change = changePost(deps, { plan: each, postId: sent.postId, ...planned });
      // It is awaited at the end.
      change.catch(() => {});
      changing.push(change);
    }
  };
  const postAllVideos = async () => {
    for (const [index, each] of videos.entries()) {
      await waitFor(index / videos.length);
      postedVideos.push(await postVideo(platforms, each, videoOf(each.plan), clock.now));
    }
  };
  const ruleChanges = new Map<CircuitRule, RuleChange[]>();
  const changeRules = circuitRules.map(async (added, index) => {
    const given = { url, accountService, users, accountIds: circuitAccounts, now: clock.now, waitFor };
    ruleChanges.set(added.plan, await changeRule(given, added, randomOf(100 + index)));
  });
  await Promise.all([
    disturb(plan, stage, randomOf(6), () => disturbed++),
    postAllVideos(),
    ...Array.from({ length: SENDERS }, sendAll),
    ...changeRules,
  ]);
  return { accepted, postedVideos, changed: await Promise.all(changing), ruleChanges };
}
