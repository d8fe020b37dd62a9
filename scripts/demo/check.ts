/** A post that must be found on a simulated platform. */
export interface Expected {
  platform: string;
  text: string;
}

/** An entry of `/sandbox/feed.json`. */
export interface Published extends Expected {
  sha256: string;
}

/**
 * Compares what the platforms hold with what is expected. Returns the problems as sentences; empty if each post exists
 * once and nothing else does.
 */
export function problemsOf(expected: readonly Expected[], found: readonly Published[], sha256: string): string[] {
  const name = ({ platform, text }: Expected) => `"${text}" on ${platform}`;
  const counts = new Map<string, number>();
  for (const each of found) counts.set(name(each), (counts.get(name(each)) ?? 0) + 1);
  const wanted = new Set(expected.map(name));
  return [
    ...[...wanted].flatMap((each) => (counts.has(each) ? [] : [`${each} is lost.`])),
    ...[...counts].flatMap(([each, count]) => (count > 1 ? [`${each} was posted ${count} times.`] : [])),
    ...[...counts.keys()].flatMap((each) => (wanted.has(each) ? [] : [`${each} was never asked for.`])),
    ...found.flatMap((each) => (each.sha256 === sha256 ? [] : [`${name(each)} has other bytes than were sent.`])),
  ];
}
