/** Identifies the account of a token and lists its boards. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, PostContent, Session, Tokens } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { callerOf, read, readAll } from './api.ts';
import { capabilities, choices } from './limits.ts';

const MAX_PAGES = 8;
const KINDS = choices.flatMap(({ values }) => values);

/** Reads the account and the boards it can pin to. @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const caller = callerOf(context, tokens.secret);
  const account = await read(caller, '/user_account');
  const [remoteId, username] = [textAt(account, 'id'), textAt(account, 'username')];
  if (!remoteId || !username)
    throw new PlatformError({ kind: 'transient', detail: 'Pinterest did not say whose the account is.' });
  const { items } = await readAll(caller, '/boards', MAX_PAGES);
  const boards = boardsOf(items);
  const kinds = kindsOf(boards);
  return {
    remoteId,
    username,
    // The response has no personal name.
    displayName: textAt(account, 'business_name') || username,
    avatarUrl: textAt(account, 'profile_image'),
    capabilities,
    choices: {
      board: [
        ...kinds.map(({ kind, label, board }) => ({ value: kind, label: `${label} (${board.name})` })),
        ...boards.map(({ id, name }) => ({ value: id, label: name })),
      ],
    },
    extra: { boards: Object.fromEntries(kinds.map(({ kind, board }) => [kind, board.id])) },
  };
}

interface Board {
  id: string;
  name: string;
  privacy: string;
}

/** Sorts boards by ascending id. */
export function boardsOf(items: readonly unknown[]): Board[] {
  return items
    .map((item) => {
      const id = textAt(item, 'id');
      return { id, name: textAt(item, 'name') || id, privacy: textAt(item, 'privacy') };
    })
    .filter(({ id }) => /^\d+$/.test(id))
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
}

/** Lists the kinds of board that the account has, each with the board it stands for. */
function kindsOf(boards: readonly Board[]): { kind: string; label: string; board: Board }[] {
  return KINDS.flatMap(({ value: kind, label }) => {
    const board = boards.find(({ privacy }) => privacy === kind);
    return board ? [{ kind, label, board }] : [];
  });
}

/** Returns the board for a post: the post's own option, else the account's setting; "" if none matches. */
export function boardFor(session: Pick<Session, 'choices' | 'extra'>, post: Pick<PostContent, 'options'>): string {
  const asked = textAt(post.options, 'board') || (session.choices.board ?? '');
  return /^\d+$/.test(asked) ? asked : textAt(session.extra, 'boards', asked);
}
