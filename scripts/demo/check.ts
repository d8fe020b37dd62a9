/** One thing that must be found on a simulated platform. */
export interface Expected {
  platform: string;
  text: string;
}

/** As `/sandbox/feed.json` has it. */
export interface Published extends Expected {
  sha256: string;
}

/** What is wrong with what the platforms hold, in sentences; none when each thing is there once and nothing else is. */
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
