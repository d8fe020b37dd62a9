import type { AccountFacts, ConnectContext, Tokens } from '../contract.ts';
import { PlatformError } from '../kit/failure.ts';
import { at, textAt } from '../kit/json.ts';
import { get, loginOf } from './api.ts';
import { callerFor, pageAccounts } from './facebook-login.ts';
import { capabilities } from './limits.ts';

/** The first of {@link identifyAll}. @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const [first] = await identifyAll(context, tokens);
  if (first) return first;
  throw new PlatformError(NO_ACCOUNT);
}

/** The one account of Instagram's login, or all behind the Pages of Facebook's. @throws PlatformError */
export async function identifyAll(context: ConnectContext, tokens: Tokens): Promise<readonly AccountFacts[]> {
  if (loginOf(tokens.secret) === 'instagram') return [await ofInstagram(context, tokens)];
  const found = await ofFacebook(context, tokens);
  if (found.length > 0) return found;
  throw new PlatformError(NO_ACCOUNT);
}

const NO_ACCOUNT = {
  kind: 'setup',
  detail: 'No ticked Page has a professional Instagram account that you may post on. Link one in its settings.',
} as const;

async function ofInstagram({ http, endpoints }: ConnectContext, { secret }: Tokens): Promise<AccountFacts> {
  const caller = { http, endpoints, login: 'instagram', token: textAt(secret, 'accessToken'), app: null } as const;
  // One field that it does not know refuses the whole call, so only those that are documented everywhere.
  const { body } = await get(caller, 'me', { fields: 'user_id,username,name,account_type,profile_picture_url' });
  if (textAt(body, 'account_type').toUpperCase() === 'PERSONAL')
    throw new PlatformError({
      kind: 'setup',
      detail: 'Instagram lets only professional accounts post this way. Switch the account to Business or Creator.',
    });
  // Its servers fetch the video from us; bytes can be sent with the other login only.
  return { ...factsOf(textAt(body, 'user_id'), body), extra: { login: 'instagram' }, fetchesMedia: true };
}

/** With the Pages' own tokens where we have them: they outlive the user's. */
async function ofFacebook(context: ConnectContext, { secret }: Tokens): Promise<readonly AccountFacts[]> {
  const pages = at(secret, 'pages');
  if (typeof pages !== 'object' || pages === null) {
    const listed = await pageAccounts(callerFor(context, textAt(secret, 'accessToken')));
    return listed.map(({ igId, ...account }) => {
      const facts = factsOf(igId, { ...account, profile_picture_url: account.picture });
      return { ...facts, extra: { login: 'facebook' } };
    });
  }
  const found: AccountFacts[] = [];
  let refusal: PlatformError | null = null;
  for (const [igId, token] of Object.entries(pages)) {
    try {
      const fields = 'username,name,profile_picture_url';
      const { body } = await get(callerFor(context, String(token)), igId, { fields });
      found.push({ ...factsOf(igId, body), extra: { login: 'facebook' } });
    } catch (error) {
      // One Page that was taken from the user must not take the others with it.
      if (!(error instanceof PlatformError) || !/^(reconnect|tokenExpired)$/.test(error.failure.kind)) throw error;
      refusal = error;
    }
  }
  if (found.length === 0 && refusal) throw refusal;
  return found;
}

function factsOf(remoteId: string, body: unknown): AccountFacts {
  const username = textAt(body, 'username');
  return {
    remoteId,
    username,
    displayName: textAt(body, 'name') || username,
    avatarUrl: textAt(body, 'profile_picture_url'),
    capabilities,
  };
}
