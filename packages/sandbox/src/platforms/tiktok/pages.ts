/** Public pages of videos and accounts. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { page, textPage } from '../../http/pages.ts';
import type { Account, Video } from './records.ts';

/** The public page of a video; 404 if the video is not public. */
export async function videoPage(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const video = await options.books.get<Video>('video', request.params.id ?? '');
  const fits = video && request.params.handle === `@${video.username}`;
  if (!fits || video.privacy !== 'PUBLIC_TO_EVERYONE' || video.visibleAt > options.now())
    return { ...page('This video is not available', ''), status: 404 };
  return textPage(`@${video.username}`, video.title);
}

export function avatarUrl(options: SimulatorOptions, account: Account): string {
  return `${options.baseUrl}/avatar/${account.openId}.svg`;
}

export function shareUrl(options: SimulatorOptions, video: { username: string; postId: string }): string {
  return `${options.baseUrl}/@${encodeURIComponent(video.username)}/video/${video.postId}`;
}
