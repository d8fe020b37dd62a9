/** The posts, rules and captions that the pictures show. */

const ALL = [
  'tiktok',
  'instagram',
  'youtube',
  'facebook',
  'x',
  'threads',
  'linkedin',
  'pinterest',
  'bluesky',
  'mastodon',
  'telegram',
  'snapchat',
];

/** The platforms that need nothing but a caption. */
export const SIMPLE = ['mastodon', 'bluesky', 'telegram', 'threads'];

export interface Entry {
  /** Days from today; negative: in the past. */
  day: number;
  /** Time of the day in minutes, UTC. */
  minute: number;
  text: string;
  platforms: readonly string[];
  /** Position of its video. */
  video: number;
  /** Positions of failed platforms, with code and sentence. */
  failed?: Readonly<Record<string, readonly [code: string, detail: string]>>;
}

const CAPTIONS = [
  'First light over the harbor, before the ferries wake up #sunrise #slowmornings',
  'How we mix a sky: three blues, one coat of varnish and a lot of patience',
  'POV: the kettle boils exactly when the rain begins ☔',
  'Behind the scenes of the autumn collection. Full film on Friday!',
  '30 seconds of silence from the cliff path. Sound on 🔊',
  'Ask us anything about analog color grading',
  'The workshop at night',
  'Five lenses, one subject. Which one would you pick? Tell us in the comments, and we will film the next episode with the winner — including the strange one from the flea market.',
  'New print, first pull #printmaking #linocut',
  'Wenn der Nebel kommt, sieht man am meisten',
  'A recipe in four cuts: leek, butter, bread, done',
  'We rebuilt the studio in a weekend',
];

const FAILURES = {
  reconnect: ['reconnect_required', 'The platform no longer accepts the access of this account. Reconnect it.'],
  video: ['video_rejected', 'The platform rejected the video: it must be at most 60 s long.'],
  limit: ['platform_limit_reached', 'The platform allows no more posts on this account today.'],
  down: ['platform_unavailable', 'The platform did not respond for 24 hours.'],
} as const;

/** Four weeks of posts. Every run has the same ones. */
export const HISTORY: readonly Entry[] = Array.from({ length: 34 }, (_, index) => ({
  day: -Math.floor(index * 0.85) - 1,
  minute: 7 * 60 + ((index * 173) % (12 * 60)),
  text: CAPTIONS[index % CAPTIONS.length] ?? '',
  platforms: ALL.filter((_name, at) => (index * 5 + at * 7) % 12 < 3 + ((index * 3) % 10)),
  video: index % 6,
})).map((entry, index) => {
  const [first = '', second = first] = entry.platforms;
  if (index === 3) return { ...entry, failed: { [first]: FAILURES.reconnect } };
  if (index === 8) return { ...entry, failed: { [first]: FAILURES.video, [second]: FAILURES.limit } };
  if (index === 15)
    return { ...entry, failed: Object.fromEntries(entry.platforms.map((name) => [name, FAILURES.down])) };
  return entry;
});

/** Posts of the coming days. */
export const PLANNED: readonly Entry[] = [
  { day: 1, minute: 9 * 60, text: 'Studio tour, part two', video: 4 },
  { day: 1, minute: 17 * 60 + 30, text: 'Question of the week: film or digital?', video: 1 },
  { day: 2, minute: 12 * 60, text: 'A walk along the old railway #sunrise', video: 3 },
  { day: 4, minute: 18 * 60, text: 'Behind the scenes of the autumn collection. Full film on Friday!', video: 2 },
  { day: 6, minute: 8 * 60 + 15, text: 'Sunday print', video: 5 },
  { day: 9, minute: 19 * 60, text: 'Live from the lighthouse', video: 0 },
].map((entry, index) => ({ ...entry, platforms: SIMPLE.slice(0, 2 + (index % 3)) }));

/** Rules as a picture without crossing arrows would draw them. */
export const RULES: readonly { from: string; to: readonly string[]; options?: object; isPaused?: boolean }[] = [
  {
    from: 'tiktok',
    to: ['instagram', 'youtube'],
    options: { delayMinutes: 30, quietHours: { from: '22:00', to: '07:00' } },
  },
  { from: 'instagram', to: ['facebook', 'threads'], options: { maxPerDay: 3 } },
  { from: 'youtube', to: ['linkedin'], isPaused: true },
  { from: 'mastodon', to: ['bluesky'], options: { caption: { template: '{caption}\n\nAlso at {url}' } } },
  { from: 'mastodon', to: ['pinterest'], options: { filters: { hashtags: ['linocut'] } } },
  { from: 'telegram', to: ['mastodon'] },
  { from: 'facebook', to: ['x'], isPaused: true },
  { from: 'snapchat', to: ['tiktok'] },
];
