/** Changes and finds the faults of simulated platforms. Pure. */
import type { SandboxFault } from '@reelay/sdk';

/** The faults after a change of one platform. @param change null: no fault */
export function withFault(
  faults: readonly SandboxFault[],
  platform: string,
  change: Pick<SandboxFault, 'kind' | 'share'> | null,
): SandboxFault[] {
  const others = faults.filter((each) => each.platform !== platform);
  return change ? [...others, { platform, ...change }] : others;
}

export function faultOf(faults: readonly SandboxFault[], platform: string): SandboxFault | null {
  return faults.find((each) => each.platform === platform) ?? null;
}
