import { describe, expect, test } from 'vitest';
import { isRendered, renderCaption, sameText } from './captions.ts';
import { CONSTELLATIONS, countConstellations, countReasons } from './constellations.ts';
import type { Outcome } from './facts.ts';
import {
  createHistory,
  createPair,
  DAY,
  DEFAULT_OPTIONS,
  type HistoryBuilder,
  HOUR,
  type IdentityInput,
  MINUTE,
  type RuleInput,
  START,
} from './history-builder.ts';
import { createLocalClock, isQuiet } from './local-time.ts';
import { judge, judgeByPromise, PROMISES, type PromiseName } from './reference.ts';

const NEVER = null;
const rejected = (at: number): Outcome => ({ kind: 'rejected', at: START + at, code: 'platform_error' });

/** The facts are without contradiction. */
function right(title: string, build: () => HistoryBuilder): void {
  test(title, () => {
    expect(judge(build().facts)).toEqual([]);
  });
}

const shown = new Set<PromiseName>();

/** The facts contradict the promise, and no promise beside the listed ones. What is wrongly skipped is lost, too. */
function wrong(title: string, promises: PromiseName[], build: () => HistoryBuilder): void {
  for (const name of promises) shown.add(name);
  test(title, () => {
    const broken = [...judgeByPromise(build().facts).keys()];
    const named = broken.filter((name) => name !== 'noRepostIsLost' || promises.includes(name));
    expect(named.toSorted()).toEqual(promises.toSorted());
  });
}

/** A post on A that the rule reposted after 20 minutes. */
function reposted(rule: RuleInput = {}, source: IdentityInput = {}, length = 12 * HOUR): HistoryBuilder {
  const history = createPair(length, rule, source);
  history.hand('p', 'A', 0);
  history.repost('x', 'r', 'p', 20 * MINUTE);
  return history;
}

/** Rules from A and from B to D, with one video posted by hand on both. */
function twoSources(
  second: { text?: string; durationMs?: number; at?: number } = {},
  sources: IdentityInput = {},
  length = 12 * HOUR,
): HistoryBuilder {
  const history = createHistory(length);
  history.identity('A', sources);
  history.identity('B', sources);
  history.identity('D');
  for (const name of ['A', 'B', 'D']) history.connect('ann', name);
  history.rule('r', 'A', ['D']);
  history.rule('s', 'B', ['D']);
  history.hand('p', 'A', 0, { text: 'My trip to Rome', durationMs: 21_400 });
  history.hand('q', 'B', second.at ?? HOUR, {
    text: second.text ?? 'My trip to Rome',
    durationMs: second.durationMs ?? 21_500,
  });
  history.repost('x', 'r', 'p', 20 * MINUTE);
  return history;
}

/** The same, with the second post skipped, or reposted. */
function secondSkipped(...input: Parameters<typeof twoSources>): HistoryBuilder {
  const history = twoSources(...input);
  const at = (input[0]?.at ?? HOUR) + 10 * MINUTE;
  history.line('s', 'q', 'echo', at, at);
  return history;
}

function secondReposted(...input: Parameters<typeof twoSources>): HistoryBuilder {
  const history = twoSources(...input);
  history.repost('y', 's', 'q', (input[0]?.at ?? HOUR) + 20 * MINUTE);
  return history;
}

/** A post through Reelay to A, which has an audience. */
function ownWithAudience(platform: 'tiktok' | 'youtube' | 'mastodon', value: string): HistoryBuilder {
  const history = createPair(12 * HOUR, {}, { platform });
  history.direct('p', ['A'], 0, { privacy: { A: value } });
  return history;
}

function ownReposted(platform: 'tiktok' | 'youtube' | 'mastodon', value: string): HistoryBuilder {
  const history = ownWithAudience(platform, value);
  history.repost('x', 'r', 'p@A', 2 * MINUTE);
  return history;
}

/** A post on D beside the repost of a post on A. */
function copyOnDestination(copyAt: number, destination: IdentityInput = {}, isOwn = false): HistoryBuilder {
  const history = createHistory(12 * HOUR);
  history.identity('A');
  history.identity('D', destination);
  for (const name of ['A', 'D']) history.connect('ann', name);
  history.rule('r', 'A', ['D']);
  history.hand('copy', 'D', copyAt, { text: 'Rome' });
  if (isOwn) history.direct('p', ['A'], HOUR, { text: 'Rome' });
  else history.hand('p', 'A', HOUR, { text: 'Rome' });
  history.repost('x', 'r', isOwn ? 'p@A' : 'p', HOUR + 10 * MINUTE);
  return history;
}

describe('content reaches a destination once', () => {
  right('accepts a repost of a foreign post', () => reposted());
  right('accepts a repost of an own post', () => {
    const history = createPair();
    history.direct('p', ['A'], 0);
    history.repost('x', 'r', 'p@A', 2 * MINUTE);
    return history;
  });
  right('accepts a chain of two rules', () => {
    const history = createPair();
    history.rule('s', 'D', ['B']);
    history.hand('p', 'A', 0);
    history.repost('x', 'r', 'p', 20 * MINUTE);
    history.repost('y', 's', 'x@D', 25 * MINUTE);
    return history;
  });
  const diamond = () => {
    const history = createHistory(12 * HOUR);
    for (const name of ['A', 'B', 'C', 'D']) {
      history.identity(name);
      history.connect('ann', name);
    }
    history.rule('r', 'A', ['B', 'C']);
    history.rule('s', 'B', ['D']);
    history.rule('t', 'C', ['D']);
    history.hand('p', 'A', 0);
    history.repost('x', 'r', 'p', 20 * MINUTE);
    history.repost('y', 's', 'x@B', 25 * MINUTE);
    return history;
  };
  right('accepts a diamond with one repost', () => {
    const history = diamond();
    history.line('t', 'x@C', 'already_there', 30 * MINUTE);
    return history;
  });
  wrong('refuses a diamond with two reposts', ['contentReachesADestinationOnce'], () => {
    const history = diamond();
    history.repost('z', 't', 'x@C', 26 * MINUTE);
    return history;
  });
  wrong('refuses echo for the same lineage', ['everyReasonIsTrue'], () => {
    const history = diamond();
    history.line('t', 'x@C', 'echo', 30 * MINUTE);
    return history;
  });
  const shared = () => {
    const history = reposted();
    history.connect('ben', 'A');
    history.connect('ben', 'D');
    history.rule('s', 'A', ['D'], { user: 'ben' });
    return history;
  };
  right('accepts one repost for two users', () => {
    const history = shared();
    history.line('s', 'p', 'already_there', 21 * MINUTE);
    return history;
  });
  wrong('refuses two reposts by two users', ['contentReachesADestinationOnce'], () => {
    const history = shared();
    history.repost('y', 's', 'p', 21 * MINUTE);
    return history;
  });
  right('accepts a post to source and destination', () => {
    const history = createPair();
    history.direct('p', ['A', 'D'], 0);
    history.line('r', 'p@A', 'already_there', 2 * MINUTE);
    return history;
  });
  wrong('refuses a repost beside the direct target', ['contentReachesADestinationOnce'], () => {
    const history = createPair();
    history.direct('p', ['A', 'D'], 0);
    history.repost('x', 'r', 'p@A', 2 * MINUTE);
    return history;
  });
  wrong('refuses two posts of one repost', ['contentReachesADestinationOnce'], () => {
    const history = reposted();
    const [copy] = history.facts.appearances.filter(({ id }) => id === 'x@D');
    if (copy) history.facts.appearances.push({ ...copy, id: 'x2@D', at: copy.at + MINUTE });
    return history;
  });
});

describe('the same video', () => {
  right('accepts echo for a copy', () => secondSkipped());
  right('accepts echo despite case, punctuation and emoji', () => secondSkipped({ text: 'my TRIP, to rome! 🎉' }));
  wrong('refuses two reposts of one video', ['theSameVideoIsLeftOut', 'seriesAreNotDoubled'], () => secondReposted());
  right('accepts both reposts with different lengths', () => secondReposted({ durationMs: 22_100 }));
  wrong('refuses echo with different lengths', ['onlyTheSameVideoIsLeftOut', 'everyReasonIsTrue'], () =>
    secondSkipped({ durationMs: 22_100 }),
  );
  right('accepts both outcomes at exactly half a second', () => secondSkipped({ durationMs: 21_900 }));
  right('accepts the repost at exactly half a second', () => secondReposted({ durationMs: 21_900 }));
  wrong('refuses echo with another caption', ['onlyTheSameVideoIsLeftOut', 'everyReasonIsTrue'], () =>
    secondSkipped({ text: 'My trip to Paris' }),
  );
  wrong('refuses echo after eight days', ['onlyTheSameVideoIsLeftOut', 'everyReasonIsTrue'], () =>
    secondSkipped({ at: 8 * DAY }, {}, 9 * DAY),
  );
  right('accepts both reposts after eight days', () => secondReposted({ at: 8 * DAY }, {}, 9 * DAY));
  wrong('refuses echo for posts without captions', ['onlyTheSameVideoIsLeftOut', 'everyReasonIsTrue'], () => {
    const history = createHistory(12 * HOUR);
    for (const name of ['A', 'B', 'D']) {
      history.identity(name);
      history.connect('ann', name);
    }
    history.rule('r', 'A', ['D']);
    history.rule('s', 'B', ['D']);
    history.hand('p', 'A', 0, { text: '' });
    history.hand('q', 'B', HOUR, { text: '' });
    history.repost('x', 'r', 'p', 20 * MINUTE);
    history.line('s', 'q', 'echo', HOUR + 10 * MINUTE);
    return history;
  });
  right('accepts echo for lengths in whole seconds', () => secondSkipped({}, { list: { durations: 'seconds' } }));
  right('accepts echo for unknown lengths without files', () => {
    const history = createHistory(12 * HOUR);
    history.identity('A');
    history.identity('B', { list: { mode: 'announce', durations: 'none' } });
    history.identity('D');
    for (const name of ['A', 'B', 'D']) history.connect('ann', name);
    history.rule('r', 'A', ['D']);
    history.rule('s', 'B', ['D']);
    history.hand('p', 'A', 0, { text: 'Rome', durationMs: 20_000 });
    history.hand('q', 'B', HOUR, { text: 'Rome', durationMs: 40_000 });
    history.repost('x', 'r', 'p', 20 * MINUTE);
    history.line('s', 'q', 'echo', HOUR + 10 * MINUTE);
    return history;
  });
  wrong('refuses echo for measurable lengths', ['onlyTheSameVideoIsLeftOut', 'everyReasonIsTrue'], () =>
    secondSkipped({ durationMs: 40_000 }, { list: { durations: 'none' } }),
  );
  right('accepts a copy that is reposted by hand', () => {
    const history = twoSources();
    history.facts.handReposts.push({ rule: 's', item: 'q', at: START + 2 * HOUR, response: 'accepted' });
    history.repost('y', 's', 'q', 2 * HOUR);
    return history;
  });
});

describe('series with one caption', () => {
  const series = () => {
    const history = createPair();
    history.hand('p1', 'A', 0, { text: 'Daily' });
    history.hand('p2', 'A', HOUR, { text: 'Daily' });
    return history;
  };
  right('accepts every post of a series', () => {
    const history = series();
    history.repost('x', 'r', 'p1', 20 * MINUTE);
    history.repost('y', 'r', 'p2', HOUR + 20 * MINUTE);
    return history;
  });
  wrong('refuses echo within one account', ['onlyTheSameVideoIsLeftOut', 'everyReasonIsTrue'], () => {
    const history = series();
    history.repost('x', 'r', 'p1', 20 * MINUTE);
    history.line('r', 'p2', 'echo', HOUR + 10 * MINUTE);
    return history;
  });
  const twoSkips = (durationMs: number) => {
    const history = series();
    history.hand('copy', 'D', -2 * HOUR, { text: 'Daily', durationMs });
    history.line('r', 'p1', 'echo', 10 * MINUTE);
    history.line('r', 'p2', 'echo', HOUR + 10 * MINUTE);
    return history;
  };
  wrong('refuses two skips for one copy', ['seriesAreNotMerged'], () => twoSkips(20_100));
  right('accepts two skips for one copy of rounded length', () => twoSkips(20_000));
  right('accepts two skips for one copy of unknown length', () => {
    const history = series();
    for (const identity of history.facts.identities) identity.list = { ...identity.list, durations: 'none' };
    history.hand('copy', 'D', -2 * HOUR, { text: 'Daily' });
    history.line('r', 'p1', 'echo', 10 * MINUTE);
    history.line('r', 'p2', 'echo', HOUR + 10 * MINUTE);
    return history;
  });
  right('accepts one skip for one copy', () => {
    const history = series();
    history.hand('copy', 'D', -2 * HOUR, { text: 'Daily' });
    history.line('r', 'p1', 'echo', 10 * MINUTE);
    history.repost('y', 'r', 'p2', HOUR + 20 * MINUTE);
    return history;
  });
  const two = () => {
    const history = createHistory(12 * HOUR);
    for (const name of ['A', 'B', 'D']) {
      history.identity(name);
      history.connect('ann', name);
    }
    history.rule('r', 'A', ['D']);
    history.rule('s', 'B', ['D']);
    for (const [i, at] of [0, HOUR].entries()) {
      history.hand(`p${i}`, 'A', at, { text: 'Daily' });
      history.hand(`q${i}`, 'B', at + MINUTE, { text: 'Daily' });
      history.repost(`x${i}`, 'r', `p${i}`, at + 20 * MINUTE);
    }
    history.line('s', 'q0', 'echo', 30 * MINUTE);
    return history;
  };
  right('accepts two series that arrive once', () => {
    const history = two();
    history.line('s', 'q1', 'echo', 90 * MINUTE);
    return history;
  });
  wrong('refuses three posts of two videos', ['seriesAreNotDoubled'], () => {
    const history = two();
    history.repost('y', 's', 'q1', 90 * MINUTE);
    return history;
  });
});

describe('destinations', () => {
  wrong('refuses a repost beside a copy', ['theSameVideoIsLeftOut'], () => copyOnDestination(0));
  wrong('refuses an own post beside a copy', ['ownPostsAreComparedWithDestinations'], () =>
    copyOnDestination(0, {}, true),
  );
  right('accepts a copy that was not yet visible', () =>
    copyOnDestination(HOUR, { list: { visibleAfterMs: 30 * MINUTE } }),
  );
  right('accepts a copy where reads are charged', () => copyOnDestination(0, { list: { chargesReads: true } }));
  right('accepts a copy below many newer posts', () => {
    const history = copyOnDestination(0);
    for (let i = 0; i < 12; i++) history.hand(`other${i}`, 'D', 30 * MINUTE + i * MINUTE);
    return history;
  });
  right('accepts echo for a share between platforms', () => {
    const history = createPair(12 * HOUR, {}, { sharesTo: ['D'] });
    history.hand('p', 'A', 0, { text: 'Rome' });
    history.facts.appearances.push({
      id: 'share',
      identity: 'D',
      video: { id: 'p', durationMs: 20_000, isVertical: true },
      text: 'Rome',
      url: 'https://example.com/share',
      at: START + MINUTE,
      privacy: null,
      by: { kind: 'share', of: 'p' },
    });
    history.line('r', 'p', 'echo', 10 * MINUTE);
    return history;
  });
});

describe('direct posts', () => {
  const direct = (outcome?: Outcome) => {
    const history = createPair();
    history.hand('p', 'A', 0, { text: 'Rome' });
    history.repost('x', 'r', 'p', 20 * MINUTE);
    history.direct('mine', ['D'], HOUR, { text: 'Rome', ...(outcome && { outcomes: { D: outcome } }) });
    return history;
  };
  right('accepts a direct post beside a repost', () => direct());
  wrong('refuses a direct post that was left out', ['directPostsAreNeverLeftOut'], () =>
    direct({ kind: 'rejected', at: START + HOUR, code: 'duplicate_rejected' }),
  );
  wrong('refuses a direct post that was never sent', ['directPostsAreNeverLeftOut'], () => direct({ kind: 'pending' }));
  right('accepts a direct post that its platform rejected', () => {
    const history = direct(rejected(HOUR + MINUTE));
    history.fault('D', 'rejected', HOUR, 2 * HOUR);
    return history;
  });
});

describe('public posts', () => {
  right('accepts a repost of a public post', () => ownReposted('tiktok', 'PUBLIC_TO_EVERYONE'));
  right('accepts a repost of a quiet public post', () => ownReposted('mastodon', 'unlisted'));
  wrong('refuses a repost of a private post', ['whatWasNotPublicStaysSo'], () => ownReposted('tiktok', 'SELF_ONLY'));
  wrong('refuses a repost of an unlisted video', ['whatWasNotPublicStaysSo'], () => ownReposted('youtube', 'unlisted'));
  right('accepts source_private for a private post', () => {
    const history = ownWithAudience('tiktok', 'SELF_ONLY');
    history.line('r', 'p@A', 'source_private', 2 * MINUTE);
    return history;
  });
  wrong('refuses source_private for a public post', ['everyReasonIsTrue', 'noRepostIsLost'], () => {
    const history = ownWithAudience('tiktok', 'PUBLIC_TO_EVERYONE');
    history.line('r', 'p@A', 'source_private', 2 * MINUTE);
    return history;
  });
  const setting = (before: string, after: string) => {
    const history = createHistory(12 * HOUR);
    history.identity('A', { platform: 'tiktok' });
    history.identity('D');
    history.connect('ann', 'A', before);
    history.connect('ann', 'D');
    history.facts.accounts[0]?.privacy.push({ from: START + 30 * MINUTE, value: after });
    history.rule('r', 'A', ['D'], { options: { delayMinutes: 60 } });
    history.direct('p', ['A'], 0);
    history.repost('x', 'r', 'p@A', 62 * MINUTE);
    return history;
  };
  right('ignores a setting that changed after the post', () => setting('PUBLIC_TO_EVERYONE', 'SELF_ONLY'));
  wrong('uses the setting at the time of the post', ['whatWasNotPublicStaysSo'], () =>
    setting('SELF_ONLY', 'PUBLIC_TO_EVERYONE'),
  );
  const late = (publicAt: number) => {
    const history = createPair(4 * DAY);
    history.hand('p', 'A', 0, { isPublic: false, changes: { audience: [{ at: START + publicAt, isPublic: true }] } });
    history.repost('x', 'r', 'p', publicAt + 20 * MINUTE);
    return history;
  };
  right('accepts a post that becomes public in time', () => late(40 * HOUR));
  wrong('refuses a post that becomes public too late', ['whatWasNotPublicStaysSo'], () => late(60 * HOUR));
  wrong('refuses a post that became private before', ['whatWasNotPublicStaysSo'], () => {
    const history = createPair(12 * HOUR, { options: { delayMinutes: 180 } });
    history.hand('p', 'A', 0, { changes: { audience: [{ at: START + HOUR, isPublic: false }] } });
    history.repost('x', 'r', 'p', 200 * MINUTE, { seenAt: START + 10 * MINUTE });
    return history;
  });
  const limited = () => {
    const history = createHistory(12 * HOUR);
    history.identity('A');
    history.identity('T', { platform: 'tiktok' });
    history.identity('D');
    history.connect('ann', 'A');
    history.connect('ann', 'T', 'PUBLIC_TO_EVERYONE');
    history.connect('ann', 'D');
    history.rule('r', 'A', ['T'], { options: { privacy: { 'ann@T': 'SELF_ONLY' } } });
    history.rule('s', 'T', ['D']);
    history.hand('p', 'A', 0);
    return history;
  };
  wrong('refuses a further repost of a limited one', ['whatWasNotPublicStaysSo'], () => {
    const history = limited();
    history.repost('x', 'r', 'p', 20 * MINUTE, { privacy: 'SELF_ONLY' });
    history.repost('y', 's', 'x@T', 25 * MINUTE);
    return history;
  });
  wrong('refuses a repost with another audience', ['repostsHaveTheirAudience'], () => {
    const history = limited();
    history.repost('x', 'r', 'p', 20 * MINUTE, { privacy: 'PUBLIC_TO_EVERYONE' });
    history.line('s', 'x@T', 'source_private', 25 * MINUTE);
    return history;
  });
  wrong('refuses a private post by hand', ['whatWasNotPublicStaysSo', 'handRepostsAreTrue'], () => {
    const history = ownWithAudience('tiktok', 'SELF_ONLY');
    history.facts.handReposts.push({ rule: 'r', item: 'p@A', at: START + HOUR, response: 'accepted' });
    history.repost('x', 'r', 'p@A', HOUR);
    return history;
  });
});

describe('text', () => {
  const own = (text: string) => {
    const history = createPair();
    history.direct('p', ['A', 'B'], 0, { text: 'Description', captions: { A: 'Caption for A' } });
    history.repost('x', 'r', 'p@A', 2 * MINUTE, { text });
    return history;
  };
  right('accepts the caption of the target', () => own('Caption for A'));
  wrong('refuses the description instead of the caption', ['theTextIsWhatWasSent'], () => own('Description'));
  wrong('refuses an own text without its spaces', ['theTextIsWhatWasSent'], () => {
    const history = createPair();
    history.direct('p', ['A', 'B'], 0, { text: 'Rome ' });
    history.repost('x', 'r', 'p@A', 2 * MINUTE, { text: 'Rome' });
    return history;
  });
  right('accepts a found text without spaces around it', () => {
    const history = createPair();
    history.hand('p', 'A', 0, { text: 'Rome ' });
    history.repost('x', 'r', 'p', 20 * MINUTE, { text: 'Rome' });
    return history;
  });
  const template = (text: string) => {
    const caption = { ...DEFAULT_OPTIONS.caption, template: '{caption}\n\nFirst on {source} {{x}}', append: '{url}' };
    const history = createPair(12 * HOUR, { options: { caption } });
    history.hand('p', 'A', 0, { text: 'Rome' });
    history.repost('x', 'r', 'p', 20 * MINUTE, { text });
    return history;
  };
  right('accepts a filled template', () => template('Rome\n\nFirst on A {x}\nhttps://example.com/p'));
  wrong('refuses a text without the template', ['theTextIsWhatWasSent'], () => template('Rome'));
  const edited = (text: string, editAt: number, source: IdentityInput = {}) => {
    const history = createPair(12 * HOUR, { options: { delayMinutes: 180 } }, source);
    history.hand('p', 'A', 0, { text: 'Old', changes: { edits: [{ at: START + editAt, text: 'New' }] } });
    history.repost('x', 'r', 'p', 200 * MINUTE, { text, seenAt: START + 10 * MINUTE });
    return history;
  };
  right('accepts the new text of an edited post', () => edited('New', HOUR));
  wrong('refuses the old text of an edited post', ['editedSourcesGiveTheirNewText'], () => edited('Old', HOUR));
  right('accepts the old text just after the edit', () => edited('Old', 195 * MINUTE));
  right('accepts the old text before the edit', () => edited('Old', 5 * HOUR));
  wrong('refuses a text from after the start', ['editedSourcesGiveTheirNewText'], () => edited('New', 5 * HOUR));
  right('accepts the old text without checks', () => {
    const history = edited('Old', HOUR);
    history.fault('A', 'unreadable', 50 * MINUTE, 4 * HOUR);
    return history;
  });
  wrong('refuses a lost change by the user', ['theTextIsWhatWasSent'], () => {
    const history = createPair();
    history.hand('p', 'A', 0);
    history.repost('x', 'r', 'p', 20 * MINUTE, { changedText: 'Better' });
    return history;
  });
  wrong('refuses a caption over the limit', ['longCaptionsAreNeverCut'], () => {
    const history = createPair();
    history.hand('p', 'A', 0, { text: 'x'.repeat(5001) });
    history.repost('x', 'r', 'p', 20 * MINUTE);
    return history;
  });
});

describe('filters and files', () => {
  const contains = { ...DEFAULT_OPTIONS.filters, contains: ['paris'] };
  const filtered = (filters: Partial<typeof contains>, length = 20_000) => {
    const history = createPair(12 * HOUR, { options: { filters: { ...DEFAULT_OPTIONS.filters, ...filters } } });
    history.hand('p', 'A', 0, { text: 'Rome #travel', durationMs: length });
    return history;
  };
  const passed = (...input: Parameters<typeof filtered>) => {
    const history = filtered(...input);
    history.repost('x', 'r', 'p', 20 * MINUTE);
    return history;
  };
  wrong('refuses a repost without the word', ['filtersApply'], () => passed({ contains: ['paris'] }));
  wrong('refuses a repost with an excluded word', ['filtersApply'], () => passed({ excludes: ['rome'] }));
  wrong('refuses a repost without the hashtag', ['filtersApply'], () => passed({ hashtags: ['food'] }));
  wrong('refuses a repost that is too short', ['filtersApply'], () => passed({ minSeconds: 30 }));
  wrong('refuses a repost that is too long', ['filtersApply'], () => passed({ maxSeconds: 10 }));
  right('accepts a repost that passes all filters', () =>
    passed({ contains: ['ROME'], excludes: ['paris'], hashtags: ['#Travel'], minSeconds: 10, maxSeconds: 30 }),
  );
  right('accepts a skip by a filter', () => {
    const history = filtered({ contains: ['paris'] });
    history.line('r', 'p', 'filtered_missing_word', 10 * MINUTE);
    return history;
  });
  wrong('refuses a skip without a filter', ['everyReasonIsTrue'], () => {
    const history = filtered({});
    history.line('r', 'p', 'filtered_missing_word', 10 * MINUTE);
    return history;
  });
  right('accepts a filtered post by hand', () => {
    const history = filtered({ contains: ['paris'] });
    history.facts.handReposts.push({ rule: 'r', item: 'p', at: START + HOUR, response: 'accepted' });
    history.repost('x', 'r', 'p', HOUR);
    return history;
  });
  const wide = (fit: 'pad' | null) => {
    const history = createPair(12 * HOUR, { options: { fit } });
    history.hand('p', 'A', 0, { isVertical: false });
    return history;
  };
  wrong('refuses a wide video without fit', ['onlyFittingVideosAreReposted'], () => {
    const history = wide(null);
    history.repost('x', 'r', 'p', 20 * MINUTE);
    return history;
  });
  right('accepts a wide video with fit', () => {
    const history = wide('pad');
    history.repost('x', 'r', 'p', 20 * MINUTE);
    return history;
  });
  right('accepts file_rejected for a wide video', () => {
    const history = wide(null);
    history.line('r', 'p', 'file_rejected', 20 * MINUTE);
    return history;
  });
  wrong('refuses a file that is not given', ['onlyFittingVideosAreReposted'], () =>
    reposted({}, { list: { mode: 'announce' } }),
  );
  wrong('refuses no_file where files are given', ['everyReasonIsTrue'], () => {
    const history = createPair();
    history.hand('p', 'A', 0);
    history.line('r', 'p', 'no_file', 10 * MINUTE);
    return history;
  });
  wrong('refuses another video', ['repostsShowTheirSource'], () => {
    const history = createPair();
    history.hand('p', 'A', 0);
    history.repost('x', 'r', 'p', 20 * MINUTE, { video: 'other' });
    return history;
  });
  wrong('refuses a post that nobody made', ['repostsShowTheirSource'], () => {
    const history = reposted();
    const [copy] = history.facts.appearances;
    const stray = { id: 'stray', identity: 'D', text: 'Stray', by: { kind: 'unexplained' } } as const;
    if (copy) history.facts.appearances.push({ ...copy, ...stray });
    return history;
  });
});

describe('removed and old sources', () => {
  const removed = (at: number) => {
    const history = createPair(12 * HOUR, { options: { delayMinutes: 180 } });
    history.hand('p', 'A', 0, { changes: { absent: [{ from: START + at, to: null }] } });
    return history;
  };
  const still = (at: number) => {
    const history = removed(at);
    history.repost('x', 'r', 'p', 200 * MINUTE, { seenAt: START + 10 * MINUTE });
    return history;
  };
  wrong('refuses a repost after two checks', ['removedSourcesAreNotReposted'], () => still(HOUR));
  right('accepts a repost just after the removal', () => still(190 * MINUTE));
  right('accepts a repost without checks', () => {
    const history = still(HOUR);
    history.fault('A', 'unreadable', 50 * MINUTE, 5 * HOUR);
    return history;
  });
  right('accepts gone for a removed post', () => {
    const history = removed(HOUR);
    history.line('r', 'p', 'gone', 10 * MINUTE, 2 * HOUR);
    return history;
  });
  wrong('refuses gone for a present post', ['everyReasonIsTrue'], () => {
    const history = createPair();
    history.hand('p', 'A', 0);
    history.line('r', 'p', 'gone', 10 * MINUTE, HOUR);
    return history;
  });
  wrong('refuses gone long after the return', ['everyReasonIsTrue'], () => {
    const history = createPair();
    history.hand('p', 'A', 0, { changes: { absent: [{ from: START + MINUTE, to: START + 2 * HOUR }] } });
    history.line('r', 'p', 'gone', 10 * MINUTE, HOUR);
    return history;
  });
  wrong('refuses an own post that was removed', ['removedSourcesAreNotReposted'], () => {
    const history = createPair(12 * HOUR, { options: { delayMinutes: 180 } });
    history.direct('p', ['A'], 0, { changes: { absent: [{ from: START + HOUR, to: null }] } });
    history.repost('x', 'r', 'p@A', 200 * MINUTE);
    return history;
  });
  wrong('refuses content that was found after 89 days', ['oldContentIsIgnored'], () => {
    const history = createPair(95 * DAY);
    history.fault('A', 'unreadable', -DAY, 91 * DAY);
    history.hand('p', 'A', 0);
    history.repost('x', 'r', 'p', 91 * DAY + 20 * MINUTE);
    return history;
  });
});

describe('pauses and deletion', () => {
  const paused = (between: 'skip' | 'keep' = 'skip') =>
    createPair(12 * HOUR, {
      between,
      active: [
        { from: START - HOUR, to: START + HOUR },
        { from: START + 3 * HOUR, to: NEVER },
      ],
    });
  const inPause = (between: 'skip' | 'keep', at = 2 * HOUR) => {
    const history = paused(between);
    history.hand('p', 'A', at);
    history.repost('x', 'r', 'p', 200 * MINUTE);
    return history;
  };
  wrong('refuses a post from the pause', ['pausesHold'], () => inPause('skip'));
  right('accepts a post from the pause if kept', () => inPause('keep'));
  right('accepts both outcomes at the pause itself', () => inPause('skip', HOUR));
  right('accepts a post from before the pause', () => inPause('skip', 59 * MINUTE));
  wrong('refuses a repost that starts in the pause', ['pausesHold'], () => {
    const history = paused();
    history.hand('p', 'A', 55 * MINUTE);
    history.repost('x', 'r', 'p', 2 * HOUR);
    return history;
  });
  right('accepts posted_while_paused', () => {
    const history = paused();
    history.hand('p', 'A', 2 * HOUR);
    history.line('r', 'p', 'posted_while_paused', 200 * MINUTE);
    return history;
  });
  wrong('refuses posted_while_paused for an active rule', ['everyReasonIsTrue', 'noRepostIsLost'], () => {
    const history = createPair();
    history.direct('p', ['A'], 0);
    history.line('r', 'p@A', 'posted_while_paused', 10 * MINUTE);
    return history;
  });
  right('accepts a second boundary in whole seconds', () => {
    const history = createPair(
      12 * HOUR,
      {
        active: [
          { from: START - HOUR, to: START + 300 },
          { from: START + 3 * HOUR, to: NEVER },
        ],
      },
      { list: { times: 'seconds' } },
    );
    history.hand('p', 'A', 700);
    history.repost('x', 'r', 'p', 200 * MINUTE);
    return history;
  });
  wrong('refuses a start after the deletion', ['deletedRulesStop'], () => {
    const history = createPair(12 * HOUR, { deletedAt: START + HOUR });
    history.hand('p', 'A', 30 * MINUTE);
    history.repost('x', 'r', 'p', 50 * MINUTE, { begunAt: START + 2 * HOUR, reason: null });
    return history;
  });
  wrong('refuses a start after the source was disconnected', ['deletedRulesStop'], () => {
    const history = createPair();
    history.facts.accounts[0]?.states.push({ from: START + HOUR, state: 'disconnected' });
    history.hand('p', 'A', 30 * MINUTE);
    history.repost('x', 'r', 'p', 50 * MINUTE, { begunAt: START + 2 * HOUR, reason: null });
    return history;
  });
});

describe('delay and quiet hours', () => {
  wrong('refuses a repost before the delay', ['delaysHold'], () => reposted({ options: { delayMinutes: 60 } }));
  right('accepts a repost after delay and jitter', () => {
    const history = createPair(12 * HOUR, { options: { delayMinutes: 60, jitterMinutes: 30 } });
    history.hand('p', 'A', 0);
    history.repost('x', 'r', 'p', 80 * MINUTE, { seenAt: START + 10 * MINUTE });
    return history;
  });
  right('accepts an early release by hand', () => {
    const history = createPair(12 * HOUR, { options: { delayMinutes: 600 } });
    history.hand('p', 'A', 0);
    history.facts.handReposts.push({ rule: 'r', item: 'p', at: START + HOUR, response: 'accepted' });
    history.repost('x', 'r', 'p', HOUR);
    return history;
  });
  wrong('refuses delayed long after the delay', ['everyReasonIsTrue', 'noRepostIsLost'], () => {
    const history = createPair(12 * HOUR, { options: { delayMinutes: 60 } });
    history.direct('p', ['A'], 0);
    history.line('r', 'p@A', 'delayed', 2 * MINUTE);
    return history;
  });
  const quietHours = { from: '10:00', to: '14:00', zone: 'Europe/Berlin' };
  const quiet = (at: number) => {
    const history = createPair(12 * HOUR, { options: { quietHours } });
    history.hand('p', 'A', 0);
    history.repost('x', 'r', 'p', at, { seenAt: START + 10 * MINUTE });
    return history;
  };
  wrong('refuses a repost in quiet hours', ['quietHoursHold'], () => quiet(HOUR));
  right('accepts a repost after quiet hours', () => quiet(4 * HOUR + MINUTE));
  wrong('refuses waiting long after quiet hours', ['everyReasonIsTrue', 'noRepostIsLost'], () => {
    const history = createPair(12 * HOUR, { options: { quietHours } });
    history.direct('p', ['A'], 0);
    history.line('r', 'p@A', 'quiet_hours', 2 * MINUTE);
    return history;
  });
});

describe('daily limit', () => {
  const posts = (number: number, isOwn: boolean, options: RuleInput['options'] = {}) => {
    const history = createPair(12 * HOUR, { options });
    for (let i = 0; i < number; i++) {
      const at = i * 2 * MINUTE;
      if (isOwn) history.direct(`p${i}`, ['A'], at);
      else history.hand(`p${i}`, 'A', at);
      history.repost(`x${i}`, 'r', isOwn ? `p${i}@A` : `p${i}`, at + 20 * MINUTE);
    }
    return history;
  };
  wrong('refuses more than the limit', ['dailyLimitsHold'], () => posts(3, true, { maxPerDay: 2 }));
  right('accepts as many as the limit', () => posts(2, true, { maxPerDay: 2 }));
  wrong('refuses 26 foreign posts without an option', ['dailyLimitsHold'], () => posts(26, false));
  right('accepts 26 own posts without an option', () => posts(26, true));
  const waiting = (days: number, rule: RuleInput = {}) => {
    const history = createPair(days * DAY, { options: { maxPerDay: 1 }, ...rule });
    history.direct('p0', ['A'], 0);
    history.direct('p1', ['A'], HOUR);
    history.direct('p2', ['A'], 2 * HOUR);
    history.repost('x0', 'r', 'p0@A', 5 * MINUTE);
    return history;
  };
  const perDay = 15 * HOUR + MINUTE;
  right('accepts the order of publication', () => {
    const history = waiting(2.9);
    history.repost('x1', 'r', 'p1@A', perDay, { seenAt: START + 61 * MINUTE });
    history.repost('x2', 'r', 'p2@A', perDay + DAY, { seenAt: START + 121 * MINUTE });
    return history;
  });
  wrong('refuses another order', ['dailyLimitsKeepTheOrder'], () => {
    const history = waiting(2.9);
    history.repost('x2', 'r', 'p2@A', perDay, { seenAt: START + 121 * MINUTE });
    history.repost('x1', 'r', 'p1@A', perDay + DAY, { seenAt: START + 61 * MINUTE });
    return history;
  });
  wrong('refuses waiting for more than three days', ['theDailyLimitEndsAfterThreeDays'], () => {
    const history = waiting(5);
    history.facts.posts.splice(1);
    history.facts.appearances = history.facts.appearances.filter(({ id }) => id !== 'p1@A' && id !== 'p2@A');
    history.direct('late', ['A'], 6 * HOUR);
    history.line('r', 'late@A', 'rule_daily_limit', 6 * HOUR + 2 * MINUTE);
    for (let day = 1; day <= 5; day++) {
      const at = (day - 1) * DAY + perDay;
      if (START + at + 5 * MINUTE > history.facts.endedAt) break;
      history.hand(`f${day}`, 'A', at - 10 * MINUTE);
      history.repost(`z${day}`, 'r', `f${day}`, at);
    }
    return history;
  });
  wrong('refuses over_daily_limit before three days', ['everyReasonIsTrue'], () => {
    const history = waiting(2.5);
    history.repost('x1', 'r', 'p1@A', perDay, { seenAt: START + 61 * MINUTE });
    history.line('r', 'p2@A', 'over_daily_limit', 121 * MINUTE, 2 * DAY);
    return history;
  });
  wrong('refuses over_daily_limit without a limit', ['everyReasonIsTrue', 'noRepostIsLost'], () => {
    const history = createPair(5 * DAY);
    history.direct('p', ['A'], 0);
    history.line('r', 'p@A', 'over_daily_limit', 2 * MINUTE, 4 * DAY);
    return history;
  });
  wrong('does not count a pause as waiting', ['everyReasonIsTrue', 'noRepostIsLost'], () => {
    const history = createPair(6 * DAY, {
      options: { maxPerDay: 1 },
      active: [
        { from: START - HOUR, to: START + 2 * DAY },
        { from: START + 4 * DAY, to: NEVER },
      ],
    });
    history.direct('p', ['A'], 0);
    history.line('r', 'p@A', 'over_daily_limit', 2 * MINUTE, 4.5 * DAY);
    return history;
  });
  wrong('refuses the limit as a reason when free', ['everyReasonIsTrue', 'noRepostIsLost'], () => {
    const history = createPair(12 * HOUR, { options: { maxPerDay: 3 } });
    history.direct('p', ['A'], 0);
    history.line('r', 'p@A', 'rule_daily_limit', 2 * MINUTE);
    return history;
  });
});

describe('older posts', () => {
  const older = (order: 'oldest' | 'newest' = 'oldest', items = ['o1', 'o2', 'o3']) => {
    const history = createPair(4 * DAY, { options: { backCatalog: { order, perDay: 1, items } } });
    history.hand('o1', 'A', -30 * DAY);
    history.hand('o2', 'A', -20 * DAY);
    history.hand('o3', 'A', -10 * DAY);
    return history;
  };
  const made = (ids: string[], gap: number, ...input: Parameters<typeof older>) => {
    const history = older(...input);
    for (const [i, id] of ids.entries()) history.repost(`x${i}`, 'r', id, HOUR + i * gap);
    return history;
  };
  right('accepts older posts at their pace', () => made(['o1', 'o2', 'o3'], DAY));
  right('accepts the newest first', () => made(['o3', 'o2', 'o1'], DAY, 'newest'));
  wrong('refuses older posts too close', ['olderPostsKeepTheirPace'], () => made(['o1', 'o2', 'o3'], 13 * HOUR));
  wrong('refuses another order of older posts', ['olderPostsKeepTheirOrder'], () => made(['o2', 'o1', 'o3'], DAY));
  wrong('refuses an older post without selection', ['onlySelectedOlderPostsAreReposted'], () =>
    made(['o1', 'o2', 'o3'], DAY, 'oldest', ['o1', 'o2']),
  );
  right('accepts a queued older post', () => {
    const history = made(['o1', 'o2'], DAY);
    history.line('r', 'o3', 'back_catalog_queued', HOUR);
    return history;
  });
  wrong('refuses a queued post without selection', ['everyReasonIsTrue'], () => {
    const history = made(['o1', 'o2'], DAY, 'oldest', ['o1', 'o2']);
    history.line('r', 'o3', 'back_catalog_queued', HOUR);
    return history;
  });
});

describe('failures, retries and reposts by hand', () => {
  const failed = (hasFault: boolean) => {
    const history = createPair();
    history.hand('p', 'A', 0);
    history.repost('x', 'r', 'p', 20 * MINUTE, { outcomes: { D: rejected(22 * MINUTE) }, reason: 'repost_failed' });
    if (hasFault) history.fault('D', 'rejected', 15 * MINUTE, 30 * MINUTE);
    return history;
  };
  right('accepts a failure with a cause', () => failed(true));
  wrong('refuses a failure without a cause', ['failuresHaveACause'], () => failed(false));
  wrong('refuses reposted for a failed repost', ['everyReasonIsTrue'], () => {
    const history = failed(true);
    for (const line of history.facts.activity) line.reason = 'reposted';
    return history;
  });
  const freed = (...also: string[]) => {
    const history = createHistory(12 * HOUR);
    for (const name of ['A', 'B', 'D', ...also]) {
      history.identity(name);
      history.connect('ann', name);
    }
    history.rule('r', 'A', ['D']);
    history.rule('s', 'B', ['D', ...also]);
    history.hand('p', 'A', 0, { text: 'Rome' });
    history.hand('q', 'B', MINUTE, { text: 'Rome' });
    history.fault('D', 'rejected', 15 * MINUTE, 40 * MINUTE);
    history.repost('x', 'r', 'p', 20 * MINUTE, { outcomes: { D: rejected(39 * MINUTE) }, reason: 'repost_failed' });
    return history;
  };
  wrong('refuses a skip for a failed repost', ['failedTargetsOccupyNothing'], () => {
    const history = freed();
    history.line('s', 'q', 'echo', 25 * MINUTE);
    return history;
  });
  wrong('refuses that a free account never gets a repost', ['failedTargetsOccupyNothing'], () => {
    const history = freed('E');
    history.repost('y', 's', 'q', 25 * MINUTE, { on: ['E'] });
    return history;
  });
  right('accepts that a free account gets a repost later', () => {
    const history = freed('E');
    history.repost('y', 's', 'q', 25 * MINUTE, { on: ['E', 'D'], begunAt: START + 45 * MINUTE });
    for (const { id, targets } of history.facts.reposts)
      for (const target of targets) if (id === 'y' && target.account === 'ann@D') target.queuedAt = START + 44 * MINUTE;
    return history;
  });
  const taken = () => {
    const history = freed();
    history.repost('y', 's', 'q', 50 * MINUTE);
    return history;
  };
  right('accepts the other copy after a failure', taken);
  right('accepts a retry that is refused', () => {
    const history = taken();
    history.facts.retries.push({
      entry: 'x',
      account: 'ann@D',
      at: START + HOUR,
      acceptDuplicate: false,
      response: 'already_there',
    });
    return history;
  });
  wrong('refuses already_there without a copy', ['retriesAreTrue'], () => {
    const history = failed(true);
    history.facts.retries.push({
      entry: 'x',
      account: 'ann@D',
      at: START + HOUR,
      acceptDuplicate: false,
      response: 'already_there',
    });
    return history;
  });
  wrong('refuses a retry of a taken place', ['retriesAreTrue', 'contentReachesADestinationOnce'], () => {
    const history = createPair();
    history.connect('ben', 'A');
    history.connect('ben', 'D');
    history.rule('s', 'A', ['D'], { user: 'ben' });
    history.hand('p', 'A', 0);
    history.fault('D', 'rejected', 15 * MINUTE, 30 * MINUTE);
    history.repost('x', 'r', 'p', 20 * MINUTE, { begunAt: START + 2 * HOUR });
    history.repost('y', 's', 'p', HOUR);
    history.facts.retries.push({
      entry: 'x',
      account: 'ann@D',
      at: START + 2 * HOUR,
      acceptDuplicate: false,
      response: 'accepted',
    });
    return history;
  });
  wrong('refuses an early loss of the video', ['retriesAreTrue'], () => {
    const history = failed(true);
    history.facts.retries.push({
      entry: 'x',
      account: 'ann@D',
      at: START + HOUR,
      acceptDuplicate: false,
      response: 'video_gone',
    });
    return history;
  });
  const rome = { text: 'My trip to Rome', durationMs: 21_400 };
  const asked = (response: 'accepted' | 'not_repostable', reason = 'filtered_missing_word') => {
    const history = createPair(3 * DAY, {
      options: { filters: { ...DEFAULT_OPTIONS.filters, contains: ['paris'] } },
    });
    history.hand('p', 'A', 0, rome);
    history.line('r', 'p', reason, 10 * MINUTE);
    history.facts.handReposts.push({ rule: 'r', item: 'p', at: START + HOUR, response });
    return history;
  };
  /** The destination shows the same video. */
  const askedForCopy = (reason: string) => {
    const history = asked('not_repostable', reason);
    history.hand('q', 'D', MINUTE, rome);
    return history;
  };
  const askedForOwn = (removedAt: number | null) => {
    const history = createPair(3 * DAY, {
      options: { filters: { ...DEFAULT_OPTIONS.filters, contains: ['paris'] } },
    });
    history.direct('p', ['A'], 0);
    for (const post of history.facts.posts) post.removedAt = removedAt;
    history.line('r', 'p@A', 'filtered_missing_word', 10 * MINUTE);
    history.facts.handReposts.push({ rule: 'r', item: 'p@A', at: START + HOUR, response: 'not_repostable' });
    return history;
  };
  right('accepts a refusal of a deleted entry', () => askedForOwn(START + 30 * MINUTE));
  wrong('refuses a refusal of an own post without cause', ['handRepostsAreTrue'], () => askedForOwn(null));
  wrong('refuses a refusal by hand without cause', ['handRepostsAreTrue'], () => asked('not_repostable'));
  right('accepts a refusal of what the destination has', () => askedForCopy('filtered_missing_word'));
  wrong('refuses a refusal of a skipped copy', ['handRepostsAreTrue'], () => askedForCopy('echo'));
  wrong('refuses an accepted repost that never comes', ['handRepostsAreTrue'], () => asked('accepted'));
});

describe('activity', () => {
  wrong('refuses two lines for one item', ['nothingIsDecidedTwice'], () => {
    const history = reposted();
    history.line('r', 'p', 'reposted', 20 * MINUTE);
    return history;
  });
  wrong('refuses two reposts of one item', ['nothingIsDecidedTwice', 'contentReachesADestinationOnce'], () => {
    const history = reposted();
    history.repost('y', 'r', 'p', 40 * MINUTE, { reason: null });
    return history;
  });
  wrong('refuses an item without a line', ['everyItemHasALine', 'noRepostIsLost'], () => {
    const history = createPair();
    history.direct('p', ['A'], 0);
    return history;
  });
  const besideOwn = (privacy: string, caption: string) => {
    const history = createPair(12 * HOUR, {}, { platform: 'tiktok', list: { showsLimited: false } });
    history.direct('p', ['A'], 0, { privacy: { A: privacy } });
    if (privacy === 'SELF_ONLY') history.line('r', 'p@A', 'source_private', 2 * MINUTE);
    else history.repost('x', 'r', 'p@A', 2 * MINUTE);
    history.hand('h', 'A', HOUR, { text: caption });
    return history;
  };
  right('accepts no line for the caption of a limited post', () => besideOwn('SELF_ONLY', 'Caption of p'));
  wrong('refuses no line for another caption', ['everyItemHasALine', 'noRepostIsLost'], () =>
    besideOwn('SELF_ONLY', 'Something else'),
  );
  wrong('refuses no line for the caption of a public post', ['everyItemHasALine'], () =>
    besideOwn('PUBLIC_TO_EVERYONE', 'Caption of p'),
  );
  right('accepts no line before the next check', () => {
    const history = createPair();
    history.hand('p', 'A', 12 * HOUR - 10 * MINUTE);
    return history;
  });
  right('accepts no line before late visibility', () => {
    const history = createPair(12 * HOUR, {}, { list: { visibleAfterMs: HOUR } });
    history.hand('p', 'A', 11 * HOUR + 10 * MINUTE);
    return history;
  });
  right('accepts no line without reads', () => {
    const history = createPair();
    history.hand('p', 'A', HOUR);
    history.fault('A', 'unreadable', 0, 12 * HOUR);
    return history;
  });
  right('accepts no line of an expired account', () => {
    const history = createPair();
    history.facts.accounts[0]?.states.push({ from: START, state: 'expired' });
    history.hand('p', 'A', HOUR);
    return history;
  });
  wrong('refuses no line after the reconnection', ['everyItemHasALine'], () => {
    const history = createPair();
    history.facts.accounts[0]?.states.push(
      { from: START, state: 'expired' },
      { from: START + 3 * HOUR, state: 'connected' },
    );
    history.hand('p', 'A', HOUR);
    return history;
  });
  right('accepts that an unlisted source sees nothing', () => {
    const history = createPair(12 * HOUR, {}, { list: { mode: 'own' } });
    history.hand('p', 'A', HOUR);
    return history;
  });
  wrong('refuses undecided after many hours', ['everyReasonIsTrue', 'noRepostIsLost'], () => {
    const history = createPair();
    history.direct('p', ['A'], 0);
    history.line('r', 'p@A', 'undecided', 2 * MINUTE);
    return history;
  });
  wrong('refuses a status that differs from its reason', ['everyReasonIsTrue'], () => {
    const history = reposted();
    for (const line of history.facts.activity) line.status = 'skipped';
    return history;
  });
  wrong('refuses a line without a post', ['everyReasonIsTrue'], () => {
    const history = reposted();
    history.line('r', 'nothing', 'delayed', 0);
    return history;
  });
  wrong('refuses an edit that never happened', ['everyReasonIsTrue'], () => {
    const history = reposted();
    for (const line of history.facts.activity) line.sourceEditedAt = START + HOUR;
    return history;
  });
  wrong('refuses a lost repost of a deleted rule', ['noRepostIsLost'], () => {
    const history = createPair(12 * HOUR, { deletedAt: START + 10 * HOUR });
    history.direct('p', ['A'], 0);
    return history;
  });
  wrong('refuses a repost that stays queued', ['nothingIsStuck'], () => {
    const history = createPair();
    history.hand('p', 'A', 0);
    history.repost('x', 'r', 'p', 20 * MINUTE, { outcomes: { D: { kind: 'pending' } }, reason: 'reposting' });
    return history;
  });
  wrong('refuses match_pending without an earlier send', ['everyReasonIsTrue'], () => {
    const history = createPair();
    history.hand('p', 'A', 0);
    history.line('r', 'p', 'match_pending', 10 * MINUTE);
    return history;
  });
  wrong('refuses rule_paused for an active rule', ['everyReasonIsTrue'], () => {
    const history = createPair();
    history.hand('p', 'A', 0);
    history.line('r', 'p', 'rule_paused', 10 * MINUTE);
    return history;
  });
  wrong('refuses video_removed before the retention', ['everyReasonIsTrue', 'noRepostIsLost'], () => {
    const history = createPair();
    history.direct('p', ['A'], 0);
    history.line('r', 'p@A', 'video_removed', 2 * MINUTE, HOUR);
    return history;
  });
  right('accepts nothing but silence over 90 days', () => {
    const history = createPair(95 * DAY);
    history.hand('p', 'A', 0);
    history.facts.clockJumps.push({ at: START + 5 * MINUTE, byMs: 90 * DAY });
    return history;
  });
});

describe('reasons', () => {
  test.each([
    ...['reposting', 'reposted', 'reposted_partly', 'repost_failed', 'repost_removed', 'undecided', 'match_pending'],
    ...['delayed', 'quiet_hours', 'rule_daily_limit', 'back_catalog_queued', 'back_catalog_behind', 'rule_paused'],
    ...['file_fetching', 'file_retry', 'filtered_missing_word', 'filtered_word', 'filtered_hashtag'],
    ...['filtered_too_short', 'filtered_too_long', 'over_daily_limit', 'no_file', 'file_rejected'],
    ...['caption_too_long', 'echo', 'already_there', 'posted_while_paused', 'source_private', 'gone', 'video_removed'],
  ])('refuses %s for a plain post', (reason) => {
    const history = createPair();
    history.direct('p', ['A'], 0);
    history.line('r', 'p@A', reason, 2 * MINUTE);
    expect(judgeByPromise(history.facts).has('everyReasonIsTrue')).toBe(true);
  });
  right('accepts reposting just after the start', () => {
    const history = createPair();
    history.hand('p', 'A', 11.5 * HOUR);
    history.repost('x', 'r', 'p', 12 * HOUR - 2 * MINUTE, {
      outcomes: { D: { kind: 'pending' } },
      reason: 'reposting',
    });
    return history;
  });
  right('accepts reposted_partly', () => {
    const history = createPair();
    history.facts.rules[0]?.destinations.push('ann@B');
    history.hand('p', 'A', 0);
    history.fault('B', 'rejected', 0, HOUR);
    history.repost('x', 'r', 'p', 20 * MINUTE, { outcomes: { B: rejected(22 * MINUTE) }, reason: 'reposted_partly' });
    return history;
  });
  right('accepts repost_removed', () => {
    const history = createPair();
    history.hand('p', 'A', 0);
    history.repost('x', 'r', 'p', 20 * MINUTE, { removedAt: START + HOUR, reason: 'repost_removed' });
    return history;
  });
  right('accepts quiet_hours in quiet hours', () => {
    const history = createPair(12 * HOUR, { options: { quietHours: { from: '20:00', to: '23:00', zone: 'UTC' } } });
    history.direct('p', ['A'], 11.5 * HOUR);
    history.line('r', 'p@A', 'quiet_hours', 11.5 * HOUR + 2 * MINUTE);
    return history;
  });
  right('accepts delayed before the end of the delay', () => {
    const history = createPair(12 * HOUR, { options: { delayMinutes: 60 } });
    history.direct('p', ['A'], 11.5 * HOUR);
    history.line('r', 'p@A', 'delayed', 11.5 * HOUR + 2 * MINUTE);
    return history;
  });
  right('accepts rule_daily_limit on a full day', () => {
    const history = createPair(12 * HOUR, { options: { maxPerDay: 1 } });
    history.direct('p', ['A'], 0);
    history.direct('q', ['A'], HOUR);
    history.repost('x', 'r', 'p@A', 2 * MINUTE);
    history.line('r', 'q@A', 'rule_daily_limit', HOUR + 2 * MINUTE);
    return history;
  });
  right('accepts rule_paused in a pause', () => {
    const history = createPair(12 * HOUR, {
      options: { delayMinutes: 120 },
      active: [{ from: START - HOUR, to: START + HOUR }],
    });
    history.direct('p', ['A'], 0);
    history.line('r', 'p@A', 'rule_paused', 2 * MINUTE);
    return history;
  });
  right('accepts file_fetching for a new post', () => {
    const history = createPair();
    history.hand('p', 'A', 11.5 * HOUR);
    history.line('r', 'p', 'file_fetching', 11.75 * HOUR);
    return history;
  });
  right('accepts file_retry after a failed download', () => {
    const history = createPair();
    history.hand('p', 'A', 0);
    history.fault('A', 'no_file', 0, 11 * HOUR);
    history.line('r', 'p', 'file_retry', 10 * MINUTE);
    return history;
  });
  right('accepts match_pending after an unknown outcome', () => {
    const history = createPair();
    history.fault('A', 'unknown', 0, HOUR);
    history.direct('m', ['A'], 0, { text: 'Rome', outcomes: { A: { kind: 'unknown', at: START + MINUTE } } });
    history.hand('p', 'A', 2 * HOUR, { text: 'Rome' });
    history.line('r', 'p', 'match_pending', 2 * HOUR + 10 * MINUTE);
    return history;
  });
  right('accepts caption_too_long with an addition', () => {
    const caption = { ...DEFAULT_OPTIONS.caption, append: 'Follow us on {source}' };
    const history = createPair(12 * HOUR, { options: { caption } });
    history.direct('p', ['A'], 0, { text: 'x'.repeat(4990) });
    history.line('r', 'p@A', 'caption_too_long', 2 * MINUTE);
    return history;
  });
  right('accepts no_file where no files are given', () => {
    const history = createPair(12 * HOUR, {}, { list: { mode: 'announce' } });
    history.hand('p', 'A', 0);
    history.line('r', 'p', 'no_file', 10 * MINUTE);
    return history;
  });
  right('accepts no_file while the source must be reconnected', () => {
    const history = createPair(12 * DAY);
    history.hand('p', 'A', 0);
    history.facts.accounts[0]?.states.push({ from: START + 5 * MINUTE, state: 'expired' });
    history.line('r', 'p', 'no_file', 8 * DAY);
    return history;
  });
  right('accepts video_removed after the retention', () => {
    const history = createPair(40 * DAY, {
      options: { delayMinutes: 120 },
      active: [
        { from: START - HOUR, to: START + HOUR },
        { from: START + 35 * DAY, to: NEVER },
      ],
    });
    history.direct('p', ['A'], 0);
    history.line('r', 'p@A', 'video_removed', 2 * MINUTE, 35 * DAY + 5 * MINUTE);
    return history;
  });
  right('accepts over_daily_limit after three days', () => {
    const history = createPair(5 * DAY, { options: { maxPerDay: 1 } });
    history.direct('p', ['A'], 0);
    history.direct('q', ['A'], HOUR);
    history.repost('x', 'r', 'p@A', 5 * MINUTE);
    for (let day = 0; day < 5; day++) {
      const at = day * DAY + 15 * HOUR + MINUTE;
      if (at + 5 * MINUTE > 5 * DAY) break;
      history.hand(`f${day}`, 'A', at - 10 * MINUTE);
      history.repost(`z${day}`, 'r', `f${day}`, at);
    }
    history.line('r', 'q@A', 'over_daily_limit', HOUR + 2 * MINUTE, 3 * DAY + 2 * HOUR);
    return history;
  });
  right('accepts a reason that the model does not know', () => {
    const history = createPair();
    history.hand('p', 'A', 0);
    history.line('r', 'p', 'something_new', 10 * MINUTE);
    return history;
  });
  right('accepts 100 plain reposts', () => {
    const history = createPair(30 * DAY, { options: { maxPerDay: 1000 } });
    for (let i = 0; i < 300; i++) {
      history.hand(`p${i}`, 'A', i * HOUR);
      history.repost(`x${i}`, 'r', `p${i}`, i * HOUR + 20 * MINUTE);
    }
    return history;
  });
});

describe('rules', () => {
  wrong('refuses a cycle over two rules', ['rulesHaveNoCycles'], () => {
    const history = createPair();
    history.rule('s', 'D', ['B']);
    history.rule('t', 'B', ['A'], { addedAt: START });
    return history;
  });
  const refused = (code: string, source: string, destination: string) => {
    const history = createPair();
    const accounts = { source: `ann@${source}`, destinations: [`ann@${destination}`] };
    history.facts.refusedRules.push({ user: 'ann', ...accounts, at: START, code });
    return history;
  };
  right('accepts that a cycle is refused', () => refused('circular_dependency', 'D', 'A'));
  right('accepts that a duplicate is refused', () => refused('duplicate_rule', 'A', 'D'));
  wrong('refuses a refusal without a cycle', ['refusedRulesHaveACause'], () =>
    refused('circular_dependency', 'A', 'B'),
  );
  right('accepts two users that mirror each other', () => {
    const history = createPair();
    history.connect('ben', 'A');
    history.connect('ben', 'D');
    history.rule('s', 'D', ['A'], { user: 'ben' });
    history.hand('p', 'A', 0);
    history.repost('x', 'r', 'p', 20 * MINUTE);
    history.line('s', 'x@D', 'already_there', 25 * MINUTE);
    for (const line of history.facts.activity) if (line.rule === 's') line.origin = 'foreign';
    return history;
  });
  wrong('refuses a second rule for one destination', ['rulesAreNotDuplicated'], () => {
    const history = createPair();
    history.rule('s', 'A', ['D', 'B']);
    return history;
  });
  right('accepts a second rule for a reconnected destination', () => {
    const history = createHistory(12 * HOUR);
    for (const name of ['A', 'B', 'D']) {
      history.identity(name);
      history.connect('ann', name);
    }
    history.rule('r', 'A', ['D', 'B']);
    const states = history.facts.accounts.find(({ id }) => id === 'ann@D')?.states;
    states?.push({ from: START + HOUR, state: 'disconnected' }, { from: START + 2 * HOUR, state: 'connected' });
    history.rule('s', 'A', ['D'], { addedAt: START + 3 * HOUR });
    return history;
  });
});

describe('captions and times', () => {
  test('compares letters and digits only', () => {
    expect(sameText('Hello, World!', 'hello world 🎉')).toBe('yes');
    expect(sameText('Part 1', 'Part 2')).toBe('no');
    expect(sameText('', '')).toBe('no');
    expect(sameText('🎉', '🎉')).toBe('no');
    expect(sameText('1 + 1', '1 1')).toBe('either');
    expect(sameText('cafe\u0301', 'caf\u00e9')).toBe('either');
  });
  test('leaves addresses unchanged', () => {
    const options = { template: '{caption} {hashtags}', removeMentions: true, removeHashtags: true, append: '' };
    const text = 'Hi @bob #one https://example.org/@bob/1#two';
    expect(renderCaption(options, { text, name: 'A', url: '' })).toBe('Hi   https://example.org/@bob/1#two #one');
  });
  test('shows repeated hashtags once', () => {
    const options = { template: '{hashtags}', removeMentions: false, removeHashtags: false, append: '' };
    expect(renderCaption(options, { text: '#One #two #one', name: 'A', url: '' })).toBe('#One #two');
  });
  test('removes mentions and hashtags from the caption only', () => {
    const options = { template: '{caption} {hashtags}', removeMentions: true, removeHashtags: true, append: '' };
    const text = renderCaption(options, { text: 'Hi @bob #one', name: 'A', url: '' });
    expect(isRendered(text, 'Hi #one', options)).toBe(true);
  });
  test('expects no spaces at the ends of a template', () => {
    const options = { template: '{caption} {hashtags}', removeMentions: false, removeHashtags: false, append: '' };
    const text = renderCaption(options, { text: ' Sea', name: 'A', url: '' });
    expect([text, isRendered('Sea', text, options), isRendered('Sea ', text, options)]).toEqual(['Sea', true, false]);
  });
  test('reads quiet hours over midnight in their zone', () => {
    const clock = createLocalClock();
    const quiet = { from: '22:00', to: '07:00', zone: 'Europe/Berlin' };
    expect(isQuiet(clock, quiet, Date.UTC(2026, 6, 1, 20, 30))).toBe('yes');
    expect(isQuiet(clock, quiet, Date.UTC(2026, 6, 1, 5, 30))).toBe('no');
    expect(isQuiet(clock, quiet, Date.UTC(2026, 0, 1, 5, 30))).toBe('yes');
  });
  test('counts constellations and reasons', () => {
    const facts = secondSkipped().facts;
    const counts = countConstellations(facts);
    expect(Object.keys(counts)).toEqual(CONSTELLATIONS);
    expect(counts['two sources of one video']).toBe(1);
    expect(counts['series with one caption']).toBe(0);
    expect(countReasons(facts).get('echo')).toBe(1);
  });
  test('every promise is shown to fail', () => {
    expect([...shown].toSorted()).toEqual(Object.keys(PROMISES).toSorted());
  });
});
