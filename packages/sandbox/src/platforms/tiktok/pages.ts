/** Public pages of videos and accounts. */
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { escapeHtml, letterPicture, page } from '../../http/pages.ts';
import type { Account, Video } from './records.ts';

/** The public page of a video; 404 if the video is not public. */
export async function videoPage(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const video = await options.books.get<Video>('video', request.params.id ?? '');
  const fits = video && request.params.handle === `@${video.username}`;
  if (!fits || video.privacy !== 'PUBLIC_TO_EVERYONE' || video.visibleAt > options.now())
    return { ...page('This video is not available', ''), status: 404 };
  return page(`@${video.username}`, `<p style="white-space:pre-wrap">${escapeHtml(video.title)}</p>`);
}

/** The avatar: the first letter of the username on a color derived from the account. */
export async function avatar(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const openId = request.params.openId?.replace(/\.svg$/, '') ?? '';
  const account = await options.books.get<Account>('account', openId);
  if (!account) return { status: 404 };
  const hue = Number.parseInt(openId.slice(0, 4), 16) % 360;
  return letterPicture(account.username, `hsl(${hue} 60% 40%)`);
}

export function avatarUrl(options: SimulatorOptions, account: Account): string {
  return `${options.baseUrl}/avatar/${account.openId}.svg`;
}

export function shareUrl(options: SimulatorOptions, video: { username: string; postId: string }): string {
  return `${options.baseUrl}/@${encodeURIComponent(video.username)}/video/${video.postId}`;
}
