/** Posts with the platforms' own apps, without the service. */
import { postFromPhone } from '../packages/sandbox/test/harness/phone.ts';
import type { Circuit, FilmPlan, Place } from './circuits.ts';
import { type Film, HEIGHT, WIDTH } from './films.ts';
import { findPlatform, type Platforms } from './platforms.ts';
import type { Random } from './random.ts';

/** A file that phones have posted. */
export interface Filmed {
  plan: FilmPlan;
  circuit: Circuit;
  sha256: string;
  posts: (Place & { id: string })[];
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

/** Posts a file on every account of its plan. */
export async function postFilm(
  platforms: Platforms,
  { circuit, plan }: { circuit: Circuit; plan: FilmPlan },
  { bytes, sha256 }: Film,
): Promise<Filmed> {
  const video = { durationMs: plan.seconds * 1_000, width: WIDTH, height: HEIGHT };
  const posts: Filmed['posts'] = [];
  for (const place of plan.on) {
    const call = { text: plan.caption, bytes, video };
    const { id } = await postFromPhone(findPlatform(platforms, place.platform), place.username, call);
    posts.push({ ...place, id });
  }
  return { plan, circuit, sha256, posts };
}
