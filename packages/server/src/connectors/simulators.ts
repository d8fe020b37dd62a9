// Made by scripts/generate-registry.mjs from the folders beside this file. Run it again instead of editing.
import type { SimulatorModule } from './kit/simulator.ts';

/** Loads one simulator, by its platform. Only where the sandbox is on. */
export const loadSimulator: Readonly<Record<string, () => Promise<SimulatorModule>>> = Object.freeze({
  bluesky: async () => (await import('./bluesky/simulator.ts')).simulator,
  facebook: async () => (await import('./facebook/simulator.ts')).simulator,
  instagram: async () => (await import('./instagram/simulator.ts')).simulator,
  linkedin: async () => (await import('./linkedin/simulator.ts')).simulator,
  mastodon: async () => (await import('./mastodon/simulator.ts')).simulator,
  pinterest: async () => (await import('./pinterest/simulator.ts')).simulator,
  snapchat: async () => (await import('./snapchat/simulator.ts')).simulator,
  telegram: async () => (await import('./telegram/simulator.ts')).simulator,
  threads: async () => (await import('./threads/simulator.ts')).simulator,
  tiktok: async () => (await import('./tiktok/simulator.ts')).simulator,
  x: async () => (await import('./x/simulator.ts')).simulator,
  youtube: async () => (await import('./youtube/simulator.ts')).simulator,
});
