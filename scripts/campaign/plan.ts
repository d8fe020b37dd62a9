/** Which cases a landing runs, by what changed since the last one. */

export interface CampaignPlan {
  /** Numbers of the slices, from 1; null: all cases. */
  slices: readonly number[] | null;
  /** Platforms of which all cases run. */
  platforms: readonly string[];
}

/** Every case runs at least once in this many landings. */
export const SLICES = 8;

/** Code that every publish runs through. */
const ENGINE = [
  /^packages\/server\/src\/(?:connectors\/(?:contract\.ts|kit\/)|publishing\/|outbound\/|queue\/)/,
  /^packages\/sandbox\/src\/(?!platforms\/|cli\/|feed\/)/,
];
/** A connector, its simulator, its wire table and its test driver. */
const PLATFORM = [
  /^packages\/server\/src\/connectors\/(\w+)\//,
  /^packages\/sandbox\/src\/platforms\/(\w+)\//,
  /^packages\/server\/test\/wire\/(\w+)\.ts$/,
  /^packages\/server\/test\/connectors\/(\w+)-driver\.ts$/,
];

/**
 * @param slice number of the next slice, from 1
 * @param changed paths that changed since the last landing; null: unknown
 * @param known names of all platforms
 */
export function planCampaign(slice: number, changed: readonly string[] | null, known: readonly string[]): CampaignPlan {
  if (changed === null) return { slices: null, platforms: [] };
  const code = changed.filter((path) => !path.endsWith('.md'));
  const names = code.flatMap((path) => PLATFORM.flatMap((pattern) => pattern.exec(path)?.[1] ?? []));
  const engineChanged = code.some((path) => ENGINE.some((pattern) => pattern.test(path)));
  return {
    slices: engineChanged ? [slice, after(slice)] : [slice],
    platforms: known.filter((name) => names.includes(name)),
  };
}

/** Number of the slice that follows. */
export function after(slice: number): number {
  return (slice % SLICES) + 1;
}
