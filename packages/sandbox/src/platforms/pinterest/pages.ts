/** Pages for browsers: pins and pictures. */
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { page, textPage } from '../../http/pages.ts';
import type { Account, Board, Pin } from './records.ts';

/** Returns the public page of a pin. A pin on a secret board has none. */
export async function pinPage(options: SimulatorOptions, request: SimulatorRequest): Promise<SimulatorResponse> {
  const pin = await options.books.get<Pin>('pin', request.params.id ?? '');
  const board = pin && (await options.books.get<Board>('board', pin.boardId));
  if (!pin || !board || board.privacy === 'SECRET') return page('This pin is not there', '', 404);
  return textPage(pin.title ?? 'Pin', pin.description ?? '');
}

export const avatarUrl = ({ baseUrl }: SimulatorOptions, { id }: Account) => `${baseUrl}/avatar/${id}.svg`;
export const pinUrl = ({ baseUrl }: SimulatorOptions, id: string) => `${baseUrl}/pin/${id}/`;
