/** Public pages of videos and channels. */
import { escapeHtml, page, textPage } from '../../http/pages.ts';
import type { Handler } from '../../http/routes.ts';
import type { Account, Video } from './records.ts';

/** The page of a public or unlisted video; 404 if it is private. */
export const videoPage: Handler = async ({ books }, { params, query }) => {
  const video = await books.get<Video>('video', params.id ?? query.get('v') ?? '');
  const gone = !video || video.deleted || video.rejectionReason !== null || video.failureReason !== null;
  if (gone || video.metadata.privacyStatus === 'private') return page('Video unavailable', '', 404);
  const { title, description } = video.metadata;
  return textPage(title, description);
};

/** The avatar: the first letter of the title on a color derived from the channel. */
export const avatar: Handler = async ({ books }, { params }) => {
  const account = await books.get<Account>('account', params.id?.replace(/\.svg$/, '') ?? '');
  if (!account) return { status: 404 };
  const letter = escapeHtml([...account.title][0]?.toUpperCase() ?? '');
  const hue = [...account.channelId].reduce((sum, char) => sum + char.charCodeAt(0), 0) % 360;
  return {
    status: 200,
    headers: { 'content-type': 'image/svg+xml' },
    body: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><circle cx="48" cy="48" r="48" fill="hsl(${hue} 55% 42%)"/><text x="48" y="64" font-family="sans-serif" font-size="48" fill="#fff" text-anchor="middle">${letter}</text></svg>`,
  };
};
