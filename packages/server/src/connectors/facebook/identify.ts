/** Lists the Pages of a login. Only Pages can be posted to; personal profiles cannot. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Tokens } from '../contract.ts';
import { setup } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { graph } from './api.ts';
import { capabilities } from './limits.ts';

const FIELDS = 'id,name,username,picture.type(large){url}';
const MAX_LISTS = 20;

/** Returns every Page on which the login may create content. @throws PlatformError */
export async function identifyAll(context: ConnectContext, tokens: Tokens): Promise<readonly AccountFacts[]> {
  const pages = await pagesOf(context, tokens);
  if (pages.length > 0) return pages.map(factsOf);
  throw new PlatformError(
    setup(
      'This login has no Page that it may post to. Tick the Page in the dialog of Facebook, and see that you may create content on it.',
    ),
  );
}

/** Returns the first Page. @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const [first] = await identifyAll(context, tokens);
  if (!first) throw new PlatformError(setup('This login has no Page.'));
  return first;
}

/** Lists all Pages of a login with their tokens. @throws PlatformError */
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
    // The URL of the next page contains a token, so only its cursor is used.
    after = textAt(body, 'paging', 'next') ? textAt(body, 'paging', 'cursors', 'after') : '';
    if (!after) break;
  }
  return found.filter((page) => textAt(page, 'id') !== '');
}

/** The login's token may expire sixty days after consent. The stored Page tokens still work. */
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

/** Returns null if the Page token is invalid too. */
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

/** A Page without a `tasks` list counts as having all tasks. */
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
