/** What a browser is shown: the consent form's frame, pins, pictures. */
import type { SimulatorAnswer, SimulatorOptions, SimulatorRequest } from '../../kit/simulator.ts';
import { escapeHtml, letterPicture, page } from '../../kit/simulator-pages.ts';
import type { Account, Board, Pin } from './records.ts';

/** Public page of a pin; there is none for one on a secret board. */
export async function pinPage(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const pin = await options.books.get<Pin>('pin', request.params.id ?? '');
  const board = pin && (await options.books.get<Board>('board', pin.boardId));
  if (!pin || !board || board.privacy === 'SECRET') return page('This pin is not there', '', 404);
  return page(pin.title ?? 'Pin', `<p style="white-space:pre-wrap">${escapeHtml(pin.description ?? '')}</p>`);
}

/** The picture of an account: its first letter. */
export async function avatar(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorAnswer> {
  const account = await options.books.get<Account>('account', request.params.id?.replace(/\.svg$/, '') ?? '');
  if (!account) return { status: 404 };
  return letterPicture(account.username, '#b00');
}

export const avatarUrl = ({ baseUrl }: SimulatorOptions, { id }: Account) => `${baseUrl}/avatar/${id}.svg`;
export const pinUrl = ({ baseUrl }: SimulatorOptions, id: string) => `${baseUrl}/pin/${id}/`;
