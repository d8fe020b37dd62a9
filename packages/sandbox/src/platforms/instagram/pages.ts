/** Public pages of reels and accounts. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { page, textPage } from '../../http/pages.ts';
import type { Account, Medium } from './records.ts';

/** The public page of a reel. */
export async function reelPage(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const id = await options.books.get<string>('shortcode', request.params.shortcode ?? '');
  const medium = id && (await options.books.get<Medium>('media', id));
  if (!medium) return page('Sorry, this page is not available', '', 404);
  return textPage(`@${medium.username}`, medium.caption);
}

export function pictureUrl({ baseUrl }: Pick<SimulatorOptions, 'baseUrl'>, { igId }: Pick<Account, 'igId'>): string {
  return `${baseUrl}/picture/${igId}.svg`;
}

export function permalinkOf({ baseUrl }: Pick<SimulatorOptions, 'baseUrl'>, shortcode: string): string {
  return `${baseUrl}/www-instagram/reel/${shortcode}/`;
}
