/** Plans circuits: accounts on which phones post, the accounts that rules repost to, and what is posted. Pure. */
import type { Random } from './random.ts';

/** An account on a platform, regardless of who connected it. */
export interface Place {
  platform: string;
  username: string;
}

export interface CircuitRule {
  /** Index of the user. */
  user: number;
  from: Place;
  to: readonly Place[];
  /** What its user does about it during the run. `reconnect`: disconnects the source, and adds the rule again. */
  change?: 'pause' | 'delete' | 'reconnect';
}

export interface VideoPlan {
  /** Unique; identifies the file. */
  name: string;
  seconds: number;
  caption: string;
  /** Where phones post it. */
  on: readonly Place[];
}

export interface Circuit {
  shape: Shape;
  rules: readonly CircuitRule[];
  videos: readonly VideoPlan[];
}

/** Platforms that give the files of posts that other clients made. */
const SOURCES = ['mastodon', 'bluesky', 'instagram', 'facebook', 'threads', 'x', 'telegram'];
/** Platforms on which an account may get {@link MAX_VIDEOS} posts a day. */
const DESTINATIONS = [
  'mastodon',
  'bluesky',
  'instagram',
  'facebook',
  'threads',
  'x',
  'telegram',
  'linkedin',
  'pinterest',
];
/** Maximum number of files of a circuit. Facebook takes 30 a day. */
const MAX_VIDEOS = 25;
/** Lengths of the files, in seconds. Some platforms report whole seconds only, so neighbors have to be measured. */
export const LENGTHS = [4, 5, 6, 7, 8, 9] as const;

/**
 * `series`: every file has the same caption. `pair`: each file is posted on two sources. `shared`: two users have
 * connected the source and a destination, and both have rules. `chain` and `diamond` are shapes of rules.
 */
const STEADY = ['series', 'pair', 'shared', 'chain', 'diamond'] as const;
/** Rules that their users change. In the last two, another user has a rule that must keep working. */
const CHANGED = ['paused', 'deleted', 'reconnected'] as const;
type Shape = (typeof STEADY)[number] | (typeof CHANGED)[number];

/**
 * Plans circuits with `posts` posts in total. A file that is posted on two accounts counts twice.
 * @param users number of users @param isChanged whether some rules are changed during the run
 */
export function planCircuits(
  { posts, users, isChanged }: { posts: number; users: number; isChanged: boolean },
  seed: number,
  random: Random,
): Circuit[] {
  const shapes: readonly Shape[] = isChanged ? [...STEADY, ...CHANGED] : STEADY;
  const count = posts === 0 ? 0 : Math.max(Math.min(posts, shapes.length), Math.ceil(posts / MAX_VIDEOS));
  return Array.from({ length: count }, (_, index): Circuit => {
    const shape = shapes[index % shapes.length] ?? 'series';
    const share = Math.floor(posts / count) + (index < posts % count ? 1 : 0);
    const place = (role: string, platform: string): Place => ({ platform, username: `c${index}.${role}` });
    const source = (role: string) => place(role, random.pick(SOURCES));
    const [one = '', other = '', third = ''] = random.sample(DESTINATIONS, 3);
    const user = random.below(users);
    const a = source('a');
    const on = shape === 'pair' ? [a, source('b')] : [a];
    const [x, y, z] = [place('x', one), place('y', other), place('z', third)];
    const rules = rulesOf(shape, { user, neighbor: (user + 1) % users, on, x, y, z });
    const videos = Array.from({ length: Math.max(1, Math.floor(share / on.length)) }, (_, take): VideoPlan => {
      const name = `run ${seed} circuit ${index} video ${take}`;
      return { name, on, ...contentOf(shape, `Run ${seed}, circuit ${index}`, take, random) };
    });
    return { shape, rules, videos };
  });
}

interface Roles {
  user: number;
  neighbor: number;
  on: readonly Place[];
  x: Place;
  y: Place;
  z: Place;
}

function rulesOf(shape: Shape, { user, neighbor, on, x, y, z }: Roles): CircuitRule[] {
  const from = on[0] as Place;
  switch (shape) {
    case 'series':
      return [{ user, from, to: [x, y] }];
    case 'pair':
      return on.map((each) => ({ user, from: each, to: [x] }));
    case 'shared':
      return [
        { user, from, to: [x] },
        { user: neighbor, from, to: [x, y] },
      ];
    case 'paused':
      return [{ user, from, to: [x, y], change: 'pause' }];
    case 'deleted':
    case 'reconnected':
      return [
        { user, from, to: [x, z], change: shape === 'deleted' ? 'delete' : 'reconnect' },
        { user: neighbor, from, to: [x, y] },
      ];
    case 'chain':
      return [
        { user, from, to: [x] },
        { user, from: x, to: [y] },
      ];
    case 'diamond':
      return [
        { user, from, to: [x, y] },
        { user, from: x, to: [z] },
        { user, from: y, to: [z] },
      ];
  }
}

/**
 * Two posts on one account are always two videos. On two accounts, captions and lengths tell, so files that are posted
 * on two sources differ in length while their captions are equal.
 */
function contentOf(shape: Shape, name: string, take: number, random: Random): Pick<VideoPlan, 'seconds' | 'caption'> {
  if (shape === 'series') return { seconds: random.pick(LENGTHS), caption: `${name}, daily` };
  if (shape !== 'pair') return { seconds: random.pick(LENGTHS), caption: `${name}, take ${take}` };
  const seconds = LENGTHS[take % LENGTHS.length] ?? LENGTHS[0];
  return { seconds, caption: `${name}, week ${Math.floor(take / LENGTHS.length)}` };
}

/** Key of a place in maps. */
export const placeKey = ({ platform, username }: Place) => `${platform} ${username}`;

/** The places that rules bring a post to, without those in `from`. */
export function reachOf(from: readonly Place[], rules: readonly Pick<CircuitRule, 'from' | 'to'>[]): Place[] {
  const reached = new Map(from.map((place) => [placeKey(place), place]));
  for (const place of reached.values())
    for (const rule of rules)
      if (placeKey(rule.from) === placeKey(place)) for (const to of rule.to) reached.set(placeKey(to), to);
  for (const place of from) reached.delete(placeKey(place));
  return [...reached.values()];
}
