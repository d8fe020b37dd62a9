/** Promises about the source of a repost: audience, text, filters, removals, edits and age. */

import { isSourcePublic, isStillPublic, repostAudiences } from './audience.ts';
import { isRendered, lengthOf, renderCaption } from './captions.ts';
import type { FactIndex, Item } from './fact-index.ts';
import type { Repost, Rule, Time } from './facts.ts';
import { FILTER_REASONS, isFiltered, meetsRequirements } from './filters.ts';
import { stretchEnd } from './intervals.ts';
import { CHECK_MS, HOUR_MS, MAX_AGE_MS, MAX_CAPTION } from './limits.ts';
import { firstBegun, sentReposts } from './places.ts';
import { classOf, isBackCatalog, isByHand, isSelected, optionsBetween } from './schedule.ts';

/** Every repost that began, once. */
function begunEntries(index: FactIndex): { rule: Rule; item: Item; entry: Repost; begun: Time }[] {
  const seen = new Set<string>();
  return sentReposts(index).flatMap(({ rule, item, entry }) => {
    if (seen.has(entry.id)) return [];
    seen.add(entry.id);
    return [{ rule, item, entry, begun: firstBegun(index, entry) }];
  });
}

/**
 * Promise: a rule never makes public what was meant for few, also by hand.
 *
 * For posts made through Reelay, the audience that was sent decides. Other posts must be public when they are found or
 * within 48 hours, and in the last check before the repost begins.
 */
export function whatWasNotPublicStaysSo(index: FactIndex): string[] {
  return begunEntries(index).flatMap(({ rule, item, entry, begun }) => {
    if (isSourcePublic(index, item, rule.user) === 'no') {
      return [`The repost ${entry.id} made ${item.id} public, which was not.`];
    }
    return isStillPublic(index, item, begun) === 'no'
      ? [`The repost ${entry.id} of ${item.id} began after the post had become private.`]
      : [];
  });
}

/** Promise: a repost has the audience that the rule gives its destination, or else the setting of the account. */
export function repostsHaveTheirAudience(index: FactIndex): string[] {
  return sentReposts(index).flatMap(({ entry, target, own }) =>
    own.appearances.flatMap(({ privacy, at }) => {
      const from = entry.madeAt - index.facts.processingMs;
      const expected = repostAudiences(index, entry.rule, target.account, from, Math.max(at, target.begunAt ?? at));
      // Without an option and a setting, the platform decides.
      if (privacy === null || expected.includes(null) || expected.includes(privacy)) return [];
      return [`The repost ${entry.id} has the audience ${privacy} instead of ${expected.join(' or ')}.`];
    }),
  );
}

/**
 * The texts that a repost can have taken from its source.
 *
 * The text at the beginning counts. An earlier one is accepted until a check must have found the edit.
 */
export function sourceTexts(index: FactIndex, item: Item, begun: Time): string[] {
  const current = Math.max(
    0,
    item.texts.findLastIndex(({ from }) => from <= begun),
  );
  const texts: string[] = [];
  for (let i = current; i >= 0; i--) {
    const version = item.texts[i];
    if (!version) break;
    texts.push(version.text);
    const visible = version.from + item.identity.list.visibleAfterMs;
    const noticed = stretchEnd(index.checked(item.identity.id), visible, CHECK_MS + index.facts.processingMs);
    if (noticed !== null && noticed <= begun) break;
  }
  const { cutTextAt } = item.identity.list;
  const isCut = item.sender === null && cutTextAt !== null;
  return isCut ? [...texts, ...texts.map((text) => [...text].slice(0, cutTextAt).join(''))] : texts;
}

/** What is wrong with the text of a repost on one destination; null if nothing. */
function textProblem(index: FactIndex, rule: Rule, item: Item, entry: Repost, text: string): string | null {
  const begun = firstBegun(index, entry);
  if (entry.changedText !== null) {
    return text === entry.changedText ? null : `The repost ${entry.id} lost the text that its user gave it.`;
  }
  const options = optionsBetween(rule, entry.madeAt - index.facts.processingMs, begun);
  const { cutTextAt } = item.identity.list;
  const texts = sourceTexts(index, item, begun);
  // Lists of platforms leave out spaces at the ends.
  const listed = classOf(rule, item) === 'own' ? texts : [...texts, ...texts.map((each) => each.trim())];
  const isAnyText = listed.some((source) =>
    options.some(({ caption }) => {
      const rendered = renderCaption(caption, { text: source, name: item.identity.name, url: item.appearance.url });
      // A list that cuts texts can add an ellipsis or cut at a word.
      const isCut = item.sender === null && cutTextAt !== null && lengthOf(source) > cutTextAt;
      const isBeginning = isCut && text.startsWith(source.slice(0, Math.max(0, cutTextAt - 10)));
      return isRendered(text, rendered, caption) || isBeginning;
    }),
  );
  if (isAnyText) return null;
  return `The repost ${entry.id} of ${item.id} has the text ${JSON.stringify(text)}, which its source did not have.`;
}

function textProblems(index: FactIndex, wants: (item: Item) => boolean): string[] {
  return sentReposts(index)
    .filter(({ item }) => wants(item))
    .flatMap(({ rule, item, entry, own }) =>
      own.appearances.flatMap(({ text }) => textProblem(index, rule, item, entry, text) ?? []),
    );
}

/** Promise: the text of a repost is what was sent to that target, or was found there, changed by the options only. */
export function theTextIsWhatWasSent(index: FactIndex): string[] {
  return textProblems(index, (item) => item.changes.edits.length === 0);
}

/** Promise: a repost follows edits of its source until it starts on the first destination, and keeps its text then. */
export function editedSourcesGiveTheirNewText(index: FactIndex): string[] {
  const mixed = begunEntries(index).flatMap(({ item, entry }) => {
    if (item.changes.edits.length === 0) return [];
    const texts = sentReposts(index)
      .filter((sent) => sent.entry.id === entry.id)
      .flatMap(({ own }) => own.appearances.map(({ text }) => text));
    const isMixed = new Set(texts).size > 1;
    return isMixed ? [`The repost ${entry.id} of ${item.id} has different texts on its destinations.`] : [];
  });
  return [...textProblems(index, (item) => item.changes.edits.length > 0), ...mixed];
}

/** Promise: captions over 5,000 characters are skipped and never cut. */
export function longCaptionsAreNeverCut(index: FactIndex): string[] {
  return sentReposts(index).flatMap(({ entry, own }) =>
    own.appearances
      .filter(({ text }) => lengthOf(text) > MAX_CAPTION)
      .map(() => `The repost ${entry.id} has a caption over ${MAX_CAPTION} characters.`),
  );
}

/** Promise: what the filters refuse is not reposted, except by hand and from the selected older posts. */
export function filtersApply(index: FactIndex): string[] {
  return begunEntries(index).flatMap(({ rule, item, entry, begun }) => {
    if (isByHand(index, entry) || isBackCatalog(index, entry)) return [];
    const texts = sourceTexts(index, item, begun);
    const options = optionsBetween(rule, entry.madeAt - index.facts.processingMs, entry.madeAt);
    const isRefused = options.every(({ filters }) =>
      texts.every((text) => FILTER_REASONS.some((reason) => isFiltered(index, reason, filters, item, text) === 'yes')),
    );
    return isRefused ? [`The repost ${entry.id} of ${item.id} passed filters that refuse it.`] : [];
  });
}

/** Promise: downloaded videos meet the requirements of uploads, also by hand; own posts always do. */
export function onlyFittingVideosAreReposted(index: FactIndex): string[] {
  return begunEntries(index).flatMap(({ rule, item, entry }) => {
    if (classOf(rule, item) !== 'foreign') return [];
    const options = optionsBetween(rule, entry.madeAt - 2 * HOUR_MS, entry.madeAt);
    if (options.every(({ fit }) => meetsRequirements(item, fit) === 'no')) {
      return [`The repost ${entry.id} of ${item.id} does not meet the requirements of uploads.`];
    }
    return item.identity.list.mode === 'files'
      ? []
      : [`The repost ${entry.id} of ${item.id} has a file that its platform does not give.`];
  });
}

/**
 * Promise: what two checks of the source no longer found before the repost began is not reposted.
 *
 * If the source cannot be read, the repost continues. So only removals count that two checks must have seen.
 */
export function removedSourcesAreNotReposted(index: FactIndex): string[] {
  return begunEntries(index).flatMap(({ item, entry, begun }) => {
    if (isByHand(index, entry)) return [];
    const absence = item.changes.absent.find(({ from, to }) => from <= begun && (to === null || begun < to));
    if (!absence) return [];
    const checked = index.checked(item.identity.id);
    const { visibleAfterMs } = item.identity.list;
    // Only what a check has found before can be found no longer.
    const listed = stretchEnd(checked, item.appearance.at + visibleAfterMs, CHECK_MS + index.facts.processingMs);
    if (listed === null || listed > absence.from) return [];
    const seen = stretchEnd(checked, absence.from + visibleAfterMs, 2 * CHECK_MS + index.facts.processingMs);
    return seen !== null && seen <= begun
      ? [`The repost ${entry.id} of ${item.id} began after two checks had not found the post.`]
      : [];
  });
}

/** Promise: content that appears more than 89 days after it was posted is ignored, unless it is selected. */
export function oldContentIsIgnored(index: FactIndex): string[] {
  return begunEntries(index).flatMap(({ rule, item, entry }) => {
    if (isByHand(index, entry) || isSelected(rule, item.id, rule.addedAt, entry.madeAt)) return [];
    const line = index.linesOf(rule.id, item.id).at(0);
    return line && line.seenAt - item.at > MAX_AGE_MS + HOUR_MS
      ? [`The repost ${entry.id} is of ${item.id}, which was found more than 89 days after it was posted.`]
      : [];
  });
}

/** Promise: a repost shows the video of its source, on a destination of its rule, and every appearance has a cause. */
export function repostsShowTheirSource(index: FactIndex): string[] {
  const unexplained = index.facts.appearances
    .filter(({ by }) => by.kind === 'unexplained')
    .map(({ id, identity }) => `${identity} has the post ${id}, which nobody made.`);
  const wrong = sentReposts(index).flatMap(({ rule, item, entry, target, own, identity }) => {
    const problems: string[] = [];
    if (item.identity.id !== index.sourceOf(rule.id).id) {
      problems.push(`The repost ${entry.id} is of ${item.id}, which is not on the source of ${rule.id}.`);
    }
    if (!rule.destinations.includes(target.account)) {
      problems.push(`The repost ${entry.id} is on ${identity}, which is no destination of ${rule.id}.`);
    }
    if (own.appearances.some(({ video }) => video.id !== item.video.id)) {
      problems.push(`The repost ${entry.id} of ${item.id} shows another video.`);
    }
    return problems;
  });
  return [...unexplained, ...wrong];
}
