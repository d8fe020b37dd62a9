import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Tokens } from '../contract.ts';
import { at, textAt } from '../kit/json.ts';
import { ask, dataOf, isId } from './api.ts';
import { capabilitiesOf } from './limits.ts';

const FIELDS = 'profile_image_url,verified,verified_type,subscription_type,protected';

/** Reads the account, and its limits from the subscription. @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const caller = { http: context.http, endpoints: context.endpoints, secret: tokens.secret, now: context.now };
  const answer = await ask(caller, 'GET', `/2/users/me?user.fields=${FIELDS}`);
  const data = dataOf(answer, context.now(), 'other');
  const remoteId = textAt(data, 'id');
  if (!isId(remoteId)) throw new PlatformError({ kind: 'transient', detail: 'X did not say whose token this is.' });
  const username = textAt(data, 'username');
  return {
    remoteId,
    username,
    displayName: textAt(data, 'name') || username,
    avatarUrl: textAt(data, 'profile_image_url'),
    capabilities: capabilitiesOf(textAt(data, 'subscription_type')),
    extra: { protected: at(data, 'protected') === true },
  };
}
