// Made by scripts/generate-registry.mjs from the folders beside this file. Run it again instead of editing.
import { simulator as bluesky } from './bluesky/simulator.ts';
import { simulator as facebook } from './facebook/simulator.ts';
import { simulator as instagram } from './instagram/simulator.ts';
import type { SimulatorModule } from './kit/simulator.ts';
import { simulator as linkedin } from './linkedin/simulator.ts';
import { simulator as mastodon } from './mastodon/simulator.ts';
import { simulator as pinterest } from './pinterest/simulator.ts';
import { simulator as snapchat } from './snapchat/simulator.ts';
import { simulator as telegram } from './telegram/simulator.ts';
import { simulator as threads } from './threads/simulator.ts';
import { simulator as tiktok } from './tiktok/simulator.ts';
import { simulator as x } from './x/simulator.ts';
import { simulator as youtube } from './youtube/simulator.ts';

/** Every simulator by its platform. Loaded only where the sandbox is on. */
export const simulators: Readonly<Record<string, SimulatorModule>> = Object.freeze({
  bluesky,
  facebook,
  instagram,
  linkedin,
  mastodon,
  pinterest,
  snapchat,
  telegram,
  threads,
  tiktok,
  x,
  youtube,
});
