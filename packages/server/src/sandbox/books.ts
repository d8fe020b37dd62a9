import type { Books, PublishedEntry } from '../connectors/kit/simulator.ts';

/** Books that can also be read by the sandbox itself: what the world sees on one platform. */
export interface SandboxBooks extends Books {
  /** Everything published and not taken back, in the order of publishing. An id published twice stands there twice. */
  published(): Promise<PublishedEntry[]>;
}
