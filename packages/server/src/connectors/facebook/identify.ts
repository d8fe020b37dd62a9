/** The Pages behind a login. Only Pages can be posted to; a person's own profile cannot. */
import type { AccountFacts, ConnectContext, Tokens } from '../contract.ts';
import { PlatformError } from '../kit/failure.ts';
import { at, textAt } from '../kit/json.ts';
import { graph } from './api.ts';
import { capabilities } from './limits.ts';

const FIELDS = 'id,name,username,picture.type(large){url}';
const MAX_LISTS = 20;

/** Every Page on which the login may create content. @throws PlatformError */
export async function identifyAll(context: ConnectContext, tokens: Tokens): Promise<readonly AccountFacts[]> {
  const pages = await pagesOf(context, tokens);
  if (pages.length > 0) return pages.map(factsOf);
  throw new PlatformError({
    kind: 'setup',
    detail:
      'This login has no Page that it may post to. Tick the Page in the dialog of Facebook, and see that you may create content on it.',
  });
}

/** The first of them. @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const [first] = await identifyAll(context, tokens);
  if (!first) throw new PlatformError({ kind: 'setup', detail: 'This login has no Page.' });
  return first;
}

/** The Pages of a login with their tokens, from as many lists as there are. @throws PlatformError */
export async function listPages(context: ConnectContext, accessToken: string): Promise<unknown[]> {
  const found: unknown[] = [];
  let after = '';
  for (let list = 0; list < MAX_LISTS; list++) {
    const body = await graph(context, 'GET', '/me/accounts', accessToken, {
      fields: `${FIELDS},access_token,tasks`,
      limit: '100',
      ...(after ? { after } : {}),
    });
    const pages = at(body, 'data');
    found.push(...(Array.isArray(pages) ? pages : []));
    // The address of the next list has a token in it: only its cursor is taken over.
    after = textAt(body, 'paging', 'next') ? textAt(body, 'paging', 'cursors', 'after') : '';
    if (!after) break;
  }
  return found.filter((page) => textAt(page, 'id') !== '');
}

/** Sixty days after the consent the login's own token may be dead; the Pages still speak for themselves. */
async function pagesOf(context: ConnectContext, tokens: Tokens): Promise<unknown[]> {
  try {
    const pages = await listPages(context, textAt(tokens.secret, 'accessToken'));
    return pages.filter(mayCreate);
  } catch (error) {
    const kept = at(tokens.secret, 'pages');
    if (!isRefusedToken(error) || typeof kept !== 'object' || kept === null) throw error;
    const alive = await Promise.all(Object.entries(kept).map(([id, token]) => ownWords(context, id, String(token))));
    const found = alive.filter((page) => page !== null);
    if (found.length === 0) throw error;
    return found;
  }
}

/** Null where the Page's token is dead too. */
async function ownWords(context: ConnectContext, id: string, token: string): Promise<unknown> {
  try {
    return await graph(context, 'GET', `/${id}`, token, { fields: FIELDS });
  } catch (error) {
    if (isRefusedToken(error)) return null;
    throw error;
  }
}

function isRefusedToken(error: unknown): boolean {
  return (
    error instanceof PlatformError && (error.failure.kind === 'tokenExpired' || error.failure.kind === 'reconnect')
  );
}

/** An answer without tasks is taken for a Page with all of them. */
function mayCreate(page: unknown): boolean {
  const tasks = at(page, 'tasks');
  return !Array.isArray(tasks) || tasks.includes('CREATE_CONTENT');
}

function factsOf(page: unknown): AccountFacts {
  const name = textAt(page, 'name');
  return {
    remoteId: textAt(page, 'id'),
    username: textAt(page, 'username') || name,
    displayName: name,
    avatarUrl: textAt(page, 'picture', 'data', 'url'),
    capabilities,
  };
}
