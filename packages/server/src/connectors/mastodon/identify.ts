/** Identifies the account of a token and reads its server's limits. */
import type { HttpClient } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Json, JsonObject, Tokens } from '../contract.ts';
import { at, textAt } from '../kit/json.ts';
import { bearer } from '../kit/requests.ts';
import { baseOf, reaching } from './api.ts';
import { failureOf } from './classify.ts';
import { capabilitiesOf } from './limits.ts';
import { handleDomain } from './service.ts';

/** Reads the account of the token and its server's limits. @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const service = baseOf(context.endpoints, tokens.service);
  const http = reaching(context, service);
  const response = await http({
    method: 'GET',
    url: `${service}/api/v1/accounts/verify_credentials`,
    headers: bearer(tokens.secret),
  });
  const account = response.status === 200 ? response.tryJson() : null;
  const [remoteId, username] = [textAt(account, 'id'), textAt(account, 'username')];
  if (!remoteId || !username) throw new PlatformError(failureOf(response, context.now(), 'other'));
  const instance = await describe(http, service);
  const domain = textAt(instance, 'domain') || textAt(instance, 'uri').replace(/^https?:\/\//, '');
  return {
    remoteId,
    username: `@${username}@${handleDomain(service, domain)}`,
    displayName: textAt(account, 'display_name') || username,
    avatarUrl: pictureOf(account),
    capabilities: capabilitiesOf(instance),
    extra: extraOf(account),
    service,
  };
}

/** Returns the instance description, version 2 or 1; null if neither is available. */
async function describe(http: HttpClient, service: string): Promise<Json> {
  for (const version of ['v2', 'v1']) {
    const response = await http({ method: 'GET', url: `${service}/api/${version}/instance` });
    const instance = response.status === 200 ? response.tryJson() : null;
    if (at(instance, 'configuration') || version === 'v1') return instance;
  }
  return null;
}

function pictureOf(account: Json): string {
  const url = URL.parse(textAt(account, 'avatar'));
  return url && /^https?:$/.test(url.protocol) ? url.href : '';
}

/** Returns the user's default visibility. `direct` is not supported as a default. */
function extraOf(account: Json): JsonObject {
  const privacy = textAt(account, 'source', 'privacy');
  return ['public', 'unlisted', 'private'].includes(privacy) ? { privacy } : {};
}
