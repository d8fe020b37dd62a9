/**
 * A reference model of the reposting rules.
 *
 * It is written from the documents (guide, decisions, design), not from the code. `judge` returns the contradictions
 * between the facts of one history and the promises. Where the documents allow two outcomes, both are accepted; each
 * such place says why.
 */

import { type FactIndex, indexFacts } from './fact-index.ts';
import type { Facts } from './facts.ts';
import {
  everyItemHasALine,
  everyReasonIsTrue,
  failuresHaveACause,
  handRepostsAreTrue,
  noRepostIsLost,
  nothingIsDecidedTwice,
  nothingIsStuck,
  refusedRulesHaveACause,
  retriesAreTrue,
  rulesAreNotDuplicated,
  rulesHaveNoCycles,
} from './promise-activity.ts';
import {
  contentReachesADestinationOnce,
  directPostsAreNeverLeftOut,
  failedTargetsOccupyNothing,
  onlyTheSameVideoIsLeftOut,
  ownPostsAreComparedWithDestinations,
  seriesAreNotDoubled,
  seriesAreNotMerged,
  theSameVideoIsLeftOut,
} from './promise-content.ts';
import {
  editedSourcesGiveTheirNewText,
  filtersApply,
  longCaptionsAreNeverCut,
  oldContentIsIgnored,
  onlyFittingVideosAreReposted,
  removedSourcesAreNotReposted,
  repostsHaveTheirAudience,
  repostsShowTheirSource,
  theTextIsWhatWasSent,
  whatWasNotPublicStaysSo,
} from './promise-source.ts';
import {
  dailyLimitsHold,
  dailyLimitsKeepTheOrder,
  delaysHold,
  deletedRulesStop,
  olderPostsKeepTheirOrder,
  olderPostsKeepTheirPace,
  onlySelectedOlderPostsAreReposted,
  pausesHold,
  quietHoursHold,
  theDailyLimitEndsAfterThreeDays,
} from './promise-time.ts';

/** A promise: returns the contradictions in words, or an empty list. */
export type PromiseCheck = (index: FactIndex) => string[];

/** All promises by name. */
export const PROMISES = {
  contentReachesADestinationOnce,
  theSameVideoIsLeftOut,
  ownPostsAreComparedWithDestinations,
  seriesAreNotMerged,
  seriesAreNotDoubled,
  onlyTheSameVideoIsLeftOut,
  failedTargetsOccupyNothing,
  directPostsAreNeverLeftOut,
  whatWasNotPublicStaysSo,
  repostsHaveTheirAudience,
  theTextIsWhatWasSent,
  editedSourcesGiveTheirNewText,
  longCaptionsAreNeverCut,
  filtersApply,
  onlyFittingVideosAreReposted,
  removedSourcesAreNotReposted,
  oldContentIsIgnored,
  repostsShowTheirSource,
  pausesHold,
  deletedRulesStop,
  delaysHold,
  quietHoursHold,
  dailyLimitsHold,
  dailyLimitsKeepTheOrder,
  theDailyLimitEndsAfterThreeDays,
  olderPostsKeepTheirPace,
  olderPostsKeepTheirOrder,
  onlySelectedOlderPostsAreReposted,
  failuresHaveACause,
  retriesAreTrue,
  handRepostsAreTrue,
  nothingIsDecidedTwice,
  everyItemHasALine,
  everyReasonIsTrue,
  noRepostIsLost,
  nothingIsStuck,
  refusedRulesHaveACause,
  rulesHaveNoCycles,
  rulesAreNotDuplicated,
} as const satisfies Readonly<Record<string, PromiseCheck>>;

export type PromiseName = keyof typeof PROMISES;

/** The contradictions of each broken promise. */
export function judgeByPromise(facts: Facts): Map<PromiseName, string[]> {
  const index = indexFacts(facts);
  const broken = new Map<PromiseName, string[]>();
  for (const name of Object.keys(PROMISES) as PromiseName[]) {
    const problems = PROMISES[name](index);
    if (problems.length > 0) broken.set(name, [...new Set(problems)]);
  }
  return broken;
}

/** The contradictions between the facts and the promises, in words; empty if there is no contradiction. */
export function judge(facts: Facts): string[] {
  return [...judgeByPromise(facts)].flatMap(([name, problems]) => problems.map((problem) => `${name}: ${problem}`));
}
