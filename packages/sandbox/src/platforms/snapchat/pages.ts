/** Pages for browsers: spotlights and pictures. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { page, textPage } from '../../http/pages.ts';
import type { Profile, Spotlight } from './records.ts';

/** Returns the public page of a spotlight. A rejected one has none. */
export async function spotlightPage(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const spotlight = await options.books.get<Spotlight>('spotlight', request.params.id ?? '');
  if (!spotlight || spotlight.rejected) return page('This Snap is not there', '', 404);
  return textPage('Spotlight', spotlight.caption);
}

export const avatarUrl = ({ baseUrl }: SimulatorOptions, { id }: Profile) => `${baseUrl}/avatar/${id}.svg`;
export const spotlightUrl = ({ baseUrl }: SimulatorOptions, id: string) => `${baseUrl}/spotlight/${id}`;
