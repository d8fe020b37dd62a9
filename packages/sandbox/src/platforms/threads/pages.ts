/** Public pages of posts and profiles. */
import type { SimulatorOptions } from '../../contract.ts';
import { page, textPage } from '../../http/pages.ts';
import type { Handler } from '../../http/routes.ts';
import type { Media, Profile } from './records.ts';

export function permalinkOf(options: SimulatorOptions, username: string, code: string): string {
  return `${options.baseUrl}/@${encodeURIComponent(username)}/post/${code}`;
}

/** The public page of a post. */
export const postPage: Handler = async ({ books }, { params }) => {
  const id = await books.get<string>('byCode', params.code ?? '');
  const media = id === undefined ? undefined : await books.get<Media>('media', id);
  if (!media) return page('Post not found', '', 404);
  const profile = await books.get<Profile>('profile', media.profileId);
  return textPage(`@${profile?.username ?? ''}`, media.text);
};
