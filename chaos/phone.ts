/** Posts with the platforms' own apps, without the service. */
import { postFromPhone } from '../packages/sandbox/test/harness/phone.ts';
import type { Circuit, Place, VideoPlan } from './circuits.ts';
import { HEIGHT, type VideoFile, WIDTH } from './phone-videos.ts';
import { findPlatform, type Platforms } from './platforms.ts';
import type { Random } from './random.ts';

/** A post from a phone, with its earliest and latest time by the service's clock or the platform's. */
export interface PhonePost extends Place {
  id: string;
  moment: { from: number; to: number };
}

/** A file that phones have posted. */
export interface PostedVideo {
  plan: VideoPlan;
  circuit: Circuit;
  sha256: string;
  posts: PhonePost[];
}

/** The order in which files are posted: each circuit keeps its own. */
export function orderVideos(circuits: readonly Circuit[], random: Random): { circuit: Circuit; plan: VideoPlan }[] {
  const left = circuits.map((circuit) => ({ circuit, videos: [...circuit.videos] }));
  const order: { circuit: Circuit; plan: VideoPlan }[] = [];
  for (let open = left; open.length > 0; open = open.filter(({ videos }) => videos.length > 0)) {
    const { circuit, videos } = random.pick(open);
    const plan = videos.shift();
    if (plan) order.push({ circuit, plan });
  }
  return order;
}

/** Platforms report whole seconds. In ms. */
const SLACK_MS = 2_000;

/**
 * Posts a file on every account of its plan.
 * @param now ms since the epoch by the service's clock
 */
export async function postVideo(
  platforms: Platforms,
  { circuit, plan }: { circuit: Circuit; plan: VideoPlan },
  { bytes, sha256 }: VideoFile,
  now: () => number,
): Promise<PostedVideo> {
  const video = { durationMs: plan.seconds * 1_000, width: WIDTH, height: HEIGHT };
  const posts: PostedVideo['posts'] = [];
  for (const place of plan.on) {
    const call = { text: plan.caption, bytes, video };
    const platform = findPlatform(platforms, place.platform);
    const from = now();
    const { id } = await postFromPhone(platform, place.username, call);
    const moment = {
      from: from + Math.min(0, platform.skewMs) - SLACK_MS,
      to: now() + Math.max(0, platform.skewMs) + SLACK_MS,
    };
    posts.push({ ...place, id, moment });
  }
  return { plan, circuit, sha256, posts };
}
