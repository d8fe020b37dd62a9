/** Public pages of reels and Pages. */
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { escapeHtml, letterPicture, page } from '../../http/pages.ts';
import type { Page, Video } from './records.ts';

/** The public page of a reel. */
export async function reelPage(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const video = await options.books.get<Video>('video', request.params.id ?? '');
  if (!video?.announced) return page("This content isn't available right now", '', 404);
  const owner = await options.books.get<Page>('page', video.pageId);
  const words = `<p style="white-space:pre-wrap">${escapeHtml(video.description)}</p>`;
  return page(owner?.name ?? '', words);
}

/** The picture of a Page: its first letter on a color derived from the Page. */
export async function picture(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const found = await options.books.get<Page>('page', request.params.id?.replace(/\.svg$/, '') ?? '');
  if (!found) return { status: 404 };
  const hue = Number(found.id.slice(-4)) % 360;
  return letterPicture(found.name, `hsl(${hue} 60% 40%)`);
}
