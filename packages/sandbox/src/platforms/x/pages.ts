/** Public pages of posts and accounts. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { letterPicture, page, textPage } from '../../http/pages.ts';
import type { Account, Post } from './records.ts';

/** The public page of a post; the username in the URL is ignored. */
export async function postPage(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const key = await options.books.get<string>('post-key', request.params.id ?? '');
  const post = key === undefined ? undefined : await options.books.get<Post>('post', key);
  if (!post?.revealed) return page('This page does not exist', '', 404);
  const account = await options.books.get<Account>('account', post.accountId);
  return textPage(`${account?.name ?? ''} on X (sandbox)`, post.text);
}

/** The avatar: the first letter of the username on a color derived from the account. */
export async function avatar(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const account = await options.books.get<Account>('account', request.params.id ?? '');
  if (!account) return { status: 404 };
  const hue = Number(account.id.slice(-4)) % 360;
  return letterPicture(account.username, `hsl(${hue} 60% 40%)`);
}

export function postUrl(options: SimulatorOptions, username: string, id: string): string {
  return `${options.baseUrl}/${encodeURIComponent(username)}/status/${id}`;
}
