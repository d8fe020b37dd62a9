/** Public pages of reels and accounts. */
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { escapeHtml, letterPicture, page } from '../../http/pages.ts';
import type { Account, Medium } from './records.ts';

/** The public page of a reel. */
export async function reelPage(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const id = await options.books.get<string>('shortcode', request.params.shortcode ?? '');
  const medium = id && (await options.books.get<Medium>('media', id));
  if (!medium) return page('Sorry, this page is not available', '', 404);
  return page(`@${medium.username}`, `<p style="white-space:pre-wrap">${escapeHtml(medium.caption)}</p>`);
}

/** The avatar: the first letter of the username on a color derived from the account. */
export async function picture(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const igId = request.params.igId?.replace(/\.svg$/, '') ?? '';
  const account = await options.books.get<Account>('account', igId);
  if (!account) return { status: 404 };
  const hue = Number(igId.slice(-3)) % 360;
  return letterPicture(account.username, `hsl(${hue} 60% 40%)`);
}

export function pictureUrl({ baseUrl }: Pick<SimulatorOptions, 'baseUrl'>, { igId }: Pick<Account, 'igId'>): string {
  return `${baseUrl}/picture/${igId}.svg`;
}

export function permalinkOf({ baseUrl }: Pick<SimulatorOptions, 'baseUrl'>, shortcode: string): string {
  return `${baseUrl}/www-instagram/reel/${shortcode}/`;
}
