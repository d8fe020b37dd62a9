/** Reads the accounts of a login. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Tokens } from '../contract.ts';
import { setup } from '../kit/failures.ts';
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

/**
 * Returns the one account of Instagram Login, or all accounts linked to the Pages of Facebook Login. @throws
 * PlatformError
 */
export async function identifyAll(context: ConnectContext, tokens: Tokens): Promise<readonly AccountFacts[]> {
  if (loginOf(tokens.secret) === 'instagram') return [await ofInstagram(context, tokens)];
  const found = await ofFacebook(context, tokens);
  if (found.length > 0) return found;
  throw new PlatformError(NO_ACCOUNT);
}

const NO_ACCOUNT = setup(
  'No ticked Page has a professional Instagram account that you may post on. Link one in its settings.',
);

async function ofInstagram({ http, endpoints }: ConnectContext, { secret }: Tokens): Promise<AccountFacts> {
  const caller = { http, endpoints, login: 'instagram', token: textAt(secret, 'accessToken'), app: null } as const;
  // A single unknown field fails the whole call, so only fields that every documentation page lists are requested.
  const { body } = await get(caller, 'me', { fields: 'user_id,username,name,account_type,profile_picture_url' });
  if (textAt(body, 'account_type').toUpperCase() === 'PERSONAL')
    throw new PlatformError(
      setup('Instagram lets only professional accounts post this way. Switch the account to Business or Creator.'),
    );
  // With this login, Instagram fetches the video from us. Only Facebook Login supports uploads.
  return { ...factsOf(textAt(body, 'user_id'), body), extra: { login: 'instagram' }, fetchesMedia: true };
}

/** Uses the stored Page tokens if there are any: they outlive the user token. */
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
      // One Page that the user has lost must not fail the others.
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
