// Made by scripts/generate-registry.mjs from the folders beside this file. Run it again instead of editing.
import type { Connector } from './contract.ts';

/** Loads one connector, by its name: for commands, which need no other. */
export const loadConnector: Readonly<Record<string, () => Promise<Connector>>> = Object.freeze({
  bluesky: async () => (await import('./bluesky/index.ts')).connector,
  facebook: async () => (await import('./facebook/index.ts')).connector,
  instagram: async () => (await import('./instagram/index.ts')).connector,
  linkedin: async () => (await import('./linkedin/index.ts')).connector,
  mastodon: async () => (await import('./mastodon/index.ts')).connector,
  pinterest: async () => (await import('./pinterest/index.ts')).connector,
  snapchat: async () => (await import('./snapchat/index.ts')).connector,
  telegram: async () => (await import('./telegram/index.ts')).connector,
  threads: async () => (await import('./threads/index.ts')).connector,
  tiktok: async () => (await import('./tiktok/index.ts')).connector,
  x: async () => (await import('./x/index.ts')).connector,
  youtube: async () => (await import('./youtube/index.ts')).connector,
});
