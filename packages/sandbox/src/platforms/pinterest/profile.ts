/** The account and its boards. */
import type { SimulatorOptions } from '../../contract.ts';
import type { JsonObject } from '../../json.ts';
import { Refused } from '../../refused.ts';
import { ownedBy } from '../../store/records.ts';
import { asCaller, type Caller } from './caller.ts';
import { type Account, addBoard, type Board, type Pin, PRIVACIES, type Privacy } from './records.ts';
import { bodyOf, invalid, notPermitted, ok, paged, refusal } from './responses.ts';

export const showAccount = asCaller(['user_accounts:read'], async (options, _request, { account }) => {
  const boards = await ownedBy<Board>(options, 'board', account.id);
  const pins = await ownedBy<Pin>(options, 'pin', account.id);
  return ok({
    id: account.id,
    username: account.username,
    account_type: account.type,
    business_name: account.businessName,
    profile_image: `${options.baseUrl}/avatar/${account.id}.png`,
    website_url: '',
    about: '',
    board_count: boards.length,
    pin_count: pins.length,
    follower_count: 0,
    following_count: 0,
    monthly_views: 0,
  });
});

/** Secret boards need a scope of their own (`boards:read_secret`). */
export const listBoards = asCaller(['boards:read'], async (options, request, { account, scopes }) => {
  const privacy = request.query.get('privacy');
  if (privacy !== null && !isPrivacy(privacy)) throw new Refused(invalid(`'${privacy}' is not a privacy.`));
  const all = await ownedBy<Board>(options, 'board', account.id);
  const shown = all
    .filter((board) => privacy === null || board.privacy === privacy)
    .filter((board) => board.privacy !== 'SECRET' || scopes.includes('boards:read_secret'));
  return paged(request, shown, (board) => boardJson(board, account));
});

export const createBoard = asCaller(['boards:write'], async (options, request, { account }) => {
  const { name, privacy = 'PUBLIC' } = await bodyOf(request);
  if (typeof name !== 'string' || name === '') throw new Refused(invalid("'name' is a required property"));
  if (!isPrivacy(privacy)) throw new Refused(invalid(`'${privacy}' is not a privacy.`));
  const all = await ownedBy<Board>(options, 'board', account.id);
  if (all.some((board) => board.name === name))
    throw new Refused(refusal(409, 58, 'A board with this name exists already.'));
  return ok(boardJson(await addBoard(options, account.id, name, privacy), account), 201);
});

export const listSections = asCaller(['boards:read'], async (options, request, caller) => {
  await ownBoard(options, caller, request.params.id, ['boards:read_secret']);
  return paged(request, [], () => ({}));
});

/**
 * Returns a board of the account. @param secretScopes also required for a secret board
 * @throws Refused with 404 if it does not exist, 403 if it belongs to another account or the scopes do not suffice
 */
export async function ownBoard(
  { store }: SimulatorOptions,
  { account, scopes }: Pick<Caller, 'account' | 'scopes'>,
  id: string | undefined,
  secretScopes: readonly string[],
): Promise<Board> {
  const board = await store.get<Board>('board', id ?? '');
  if (!board) throw new Refused(refusal(404, 40, 'Board not found.'));
  const isOpen = board.privacy !== 'SECRET' || secretScopes.every((scope) => scopes.includes(scope));
  if (board.accountId !== account.id || !isOpen) throw new Refused(notPermitted());
  return board;
}

function isPrivacy(word: unknown): word is Privacy {
  return PRIVACIES.some((privacy) => privacy === word);
}

function boardJson(board: Board, { username }: Account): JsonObject {
  return { id: board.id, name: board.name, description: '', privacy: board.privacy, owner: { username } };
}
