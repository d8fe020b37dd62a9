// Made by scripts/generate-registry.mjs from the folders beside this file. Run it again instead of editing.
import { connector as bluesky } from './bluesky/index.ts';
import type { Connector } from './contract.ts';
import { connector as facebook } from './facebook/index.ts';
import { connector as instagram } from './instagram/index.ts';
import { connector as linkedin } from './linkedin/index.ts';
import { connector as mastodon } from './mastodon/index.ts';
import { connector as pinterest } from './pinterest/index.ts';
import { connector as snapchat } from './snapchat/index.ts';
import { connector as telegram } from './telegram/index.ts';
import { connector as threads } from './threads/index.ts';
import { connector as tiktok } from './tiktok/index.ts';
import { connector as x } from './x/index.ts';
import { connector as youtube } from './youtube/index.ts';

/** Every connector by its name. */
export const connectors: Readonly<Record<string, Connector>> = Object.freeze({
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
