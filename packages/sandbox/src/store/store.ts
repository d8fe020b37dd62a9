import type { PublishedEntry, SimulatorStore } from '../contract.ts';

/** A simulator's store that the sandbox can also read: the published posts of one platform. */
export interface SandboxStore extends SimulatorStore {
  /** All posts published and not removed, in order of publication. An id published twice appears twice. */
  published(): Promise<PublishedEntry[]>;
}
