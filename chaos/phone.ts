/** Posts with the platforms' own apps, without the service. */
import { postFromPhone } from '../packages/sandbox/test/harness/phone.ts';
import type { Circuit, FilmPlan, Place } from './circuits.ts';
import { type Film, HEIGHT, WIDTH } from './films.ts';
import { findPlatform, type Platforms } from './platforms.ts';
import type { Random } from './random.ts';

/** A post from a phone, with its earliest and latest time by the service's clock or the platform's. */
export interface FilmedPost extends Place {
  id: string;
  moment: { from: number; to: number };
}

/** A file that phones have posted. */
export interface Filmed {
  plan: FilmPlan;
  circuit: Circuit;
  sha256: string;
  posts: FilmedPost[];
}

/** The order in which files are posted: each circuit keeps its own. */
export function orderFilms(circuits: readonly Circuit[], random: Random): { circuit: Circuit; plan: FilmPlan }[] {
  const left = circuits.map((circuit) => ({ circuit, films: [...circuit.films] }));
  const order: { circuit: Circuit; plan: FilmPlan }[] = [];
  for (let open = left; open.length > 0; open = open.filter(({ films }) => films.length > 0)) {
    const { circuit, films } = random.pick(open);
    const plan = films.shift();
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
export async function postFilm(
  platforms: Platforms,
  { circuit, plan }: { circuit: Circuit; plan: FilmPlan },
  { bytes, sha256 }: Film,
  now: () => number,
): Promise<Filmed> {
  const video = { durationMs: plan.seconds * 1_000, width: WIDTH, height: HEIGHT };
  const posts: Filmed['posts'] = [];
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
