/** Public pages of reels and Pages. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { page, textPage } from '../../http/pages.ts';
import type { Page, Video } from './records.ts';

/** The public page of a reel. */
export async function reelPage(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const video = await options.books.get<Video>('video', request.params.id ?? '');
  if (!video?.announced) return page("This content isn't available right now", '', 404);
  const owner = await options.books.get<Page>('page', video.pageId);
  return textPage(owner?.name ?? '', video.description);
}
