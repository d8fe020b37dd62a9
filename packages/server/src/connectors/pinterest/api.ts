/** A minimal client for Pinterest's API v5, and the account of a token with its boards. */
import type { HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Json, JsonObject, PostContent, Session, Tokens } from '../contract.ts';
import { transient } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { type Page, type PagedList, readPages } from '../kit/pages.ts';
import { bearer } from '../kit/requests.ts';
import { failureOf } from './classify.ts';
import { capabilities, choices } from './limits.ts';
import { say } from './messages.ts';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'secret'>;

/**
 * Sends a GET request. @param path path below the version, including the query @throws PlatformError unless the
 * response is 200 with JSON
 */
export async function read(caller: Caller, path: string): Promise<Json> {
  const url = `${caller.endpoints.api}/v5${path}`;
  return bodyOf(await caller.http({ method: 'GET', url, headers: bearer(caller.secret) }), [200]);
}

/**
 * Sends a POST request whose effect may be repeated. @throws PlatformError unless the response is 200 or 201 with JSON
 */
export async function write(caller: Caller, path: string, json: JsonObject): Promise<Json> {
  const url = `${caller.endpoints.api}/v5${path}`;
  return bodyOf(await caller.http({ method: 'POST', url, headers: bearer(caller.secret), json }), [200, 201]);
}

function bodyOf(response: HttpResponse, good: readonly number[]): Json {
  const body = response.tryJson();
  if (!good.includes(response.status) || body === null) throw new PlatformError(failureOf(response));
  return body;
}

/** Reads a page of a list. @param path including the query, if any @throws PlatformError */
export async function readPage(caller: Caller, path: string, cursor: string): Promise<Page<unknown>> {
  const query = new URLSearchParams({ page_size: '250', ...(cursor && { bookmark: cursor }) });
  const body = await read(caller, `${path}${path.includes('?') ? '&' : '?'}${query}`);
  const items = at(body, 'items');
  if (!Array.isArray(items)) throw new PlatformError(transient(say('list_unreadable')));
  const bookmark = textAt(body, 'bookmark');
  return { items, next: bookmark === cursor ? '' : bookmark };
}

/** Reads a paginated list. @throws PlatformError */
export function readAll(caller: Caller, path: string, maxPages: number): Promise<PagedList<unknown>> {
  return readPages(maxPages, (cursor) => readPage(caller, path, cursor));
}

/** Reads the account's boards, by ascending id. @throws PlatformError */
export async function readBoards(caller: Caller): Promise<Board[]> {
  return boardsOf((await readAll(caller, '/boards', MAX_PAGES)).items);
}

const MAX_PAGES = 8;
const KINDS = choices.flatMap(({ values }) => values);

/** Reads the account and the boards it can pin to. @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const caller = { ...context, secret: tokens.secret };
  const account = await read(caller, '/user_account');
  const [remoteId, username] = [textAt(account, 'id'), textAt(account, 'username')];
  if (!remoteId || !username) throw new PlatformError(transient(say('account_missing')));
  const boards = await readBoards(caller);
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
    extra: {
      boards: Object.fromEntries(kinds.map(({ kind, board }) => [kind, board.id])),
      openBoards: boards.filter(isOpen).map(({ id }) => id),
    },
  };
}

/** Whether everybody can see a board. */
export function isOpen({ privacy }: Pick<Board, 'privacy'>): boolean {
  return privacy === 'PUBLIC' || privacy === 'PROTECTED';
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
