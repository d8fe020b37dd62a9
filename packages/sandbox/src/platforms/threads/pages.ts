/** Public pages of posts and profiles. */
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { escapeHtml, letterPicture, page } from '../../http/pages.ts';
import type { Media, Profile } from './records.ts';

export function permalinkOf(options: SimulatorOptions, username: string, code: string): string {
  return `${options.baseUrl}/@${encodeURIComponent(username)}/post/${code}`;
}

/** The public page of a post. */
export async function postPage(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const id = await options.books.get<string>('byCode', request.params.code ?? '');
  const media = id === undefined ? undefined : await options.books.get<Media>('media', id);
  if (!media) return page('Post not found', '', 404);
  const profile = await options.books.get<Profile>('profile', media.profileId);
  return page(`@${profile?.username ?? ''}`, `<p style="white-space:pre-wrap">${escapeHtml(media.text)}</p>`);
}

/** The avatar: the first letter of the username on a color derived from the profile. */
export async function picture(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const found = await options.books.get<Profile>('profile', request.params.id?.replace(/\.svg$/, '') ?? '');
  if (!found) return { status: 404 };
  const hue = Number(found.id.slice(-4)) % 360;
  return letterPicture(found.username, `hsl(${hue} 60% 40%)`);
}
