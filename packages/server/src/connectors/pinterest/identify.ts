import type { AccountFacts, ConnectContext, JsonObject, PostContent, Session, Tokens } from '../contract.ts';
import { PlatformError } from '../kit/failure.ts';
import { textAt } from '../kit/json.ts';
import { callerOf, read, readAll } from './api.ts';
import { capabilities, choices } from './limits.ts';

const MAX_PAGES = 8;
const KINDS = choices.flatMap(({ values }) => values.map(({ value }) => value));

/** Who the account is, and which boards it can pin to. @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const caller = callerOf(context, tokens.secret);
  const account = await read(caller, '/user_account');
  const [remoteId, username] = [textAt(account, 'id'), textAt(account, 'username')];
  if (!remoteId || !username)
    throw new PlatformError({ kind: 'transient', detail: 'Pinterest did not say whose the account is.' });
  const { items } = await readAll(caller, '/boards', MAX_PAGES);
  const boards = boardsOf(items);
  const first = firstOfKinds(boards);
  return {
    remoteId,
    username,
    // There is no personal name in the answer.
    displayName: textAt(account, 'business_name') || username,
    avatarUrl: textAt(account, 'profile_image'),
    capabilities,
    choices: { board: [...Object.keys(first), ...boards.map(({ id }) => id)] },
    extra: { boards: first },
  };
}

interface Board {
  id: string;
  privacy: string;
}

/** Lowest id first. */
export function boardsOf(items: readonly unknown[]): Board[] {
  return items
    .map((item) => ({ id: textAt(item, 'id'), privacy: textAt(item, 'privacy') }))
    .filter(({ id }) => /^\d+$/.test(id))
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
}

function firstOfKinds(boards: readonly Board[]): JsonObject {
  return Object.fromEntries(
    KINDS.flatMap((kind) => {
      const first = boards.find(({ privacy }) => privacy === kind);
      return first ? [[kind, first.id]] : [];
    }),
  );
}

/** The board that a post goes to: its own wish, else the account's choice. "" where there is none. */
export function boardFor(session: Pick<Session, 'choices' | 'extra'>, post: Pick<PostContent, 'options'>): string {
  const asked = textAt(post.options, 'board') || (session.choices.board ?? '');
  return /^\d+$/.test(asked) ? asked : textAt(session.extra, 'boards', asked);
}
