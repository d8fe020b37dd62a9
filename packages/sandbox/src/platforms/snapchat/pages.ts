/** Pages for browsers: spotlights and pictures. */
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { escapeHtml, letterPicture, page } from '../../http/pages.ts';
import type { Profile, Spotlight } from './records.ts';

/** Returns the public page of a spotlight. A rejected one has none. */
export async function spotlightPage(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const spotlight = await options.books.get<Spotlight>('spotlight', request.params.id ?? '');
  if (!spotlight || spotlight.rejected) return page('This Snap is not there', '', 404);
  return page('Spotlight', `<p style="white-space:pre-wrap">${escapeHtml(spotlight.caption)}</p>`);
}

/** Returns a profile's picture, with the first letter of its name. */
export async function avatar(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const profile = await options.books.get<Profile>('profile', request.params.id?.replace(/\.svg$/, '') ?? '');
  if (!profile) return { status: 404 };
  return letterPicture(profile.username, '#cc0', '#000');
}

export const avatarUrl = ({ baseUrl }: SimulatorOptions, { id }: Profile) => `${baseUrl}/avatar/${id}.svg`;
export const spotlightUrl = ({ baseUrl }: SimulatorOptions, id: string) => `${baseUrl}/spotlight/${id}`;
