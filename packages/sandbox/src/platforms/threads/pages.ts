/** Public pages of posts and profiles. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { page, textPage } from '../../http/pages.ts';
import type { Media, Profile } from './records.ts';

export function permalinkOf(options: SimulatorOptions, username: string, code: string): string {
  return `${options.baseUrl}/@${encodeURIComponent(username)}/post/${code}`;
}

/** The public page of a post. */
export async function postPage(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const id = await options.books.get<string>('byCode', request.params.code ?? '');
  const media = id === undefined ? undefined : await options.books.get<Media>('media', id);
  if (!media) return page('Post not found', '', 404);
  const profile = await options.books.get<Profile>('profile', media.profileId);
  return textPage(`@${profile?.username ?? ''}`, media.text);
}
