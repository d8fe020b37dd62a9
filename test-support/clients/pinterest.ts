/** Pinterest: the general OAuth libraries. No independent client on npm publishes. */
import type { ClientSuite } from './contract.ts';
import { oauthClients } from './oauth.ts';

export const suite: ClientSuite = {
  hosts: ['www.pinterest.com', 'api.pinterest.com'],
  clients: oauthClients({
    issuer: 'https://www.pinterest.com',
    // As the libraries' providers for Pinterest write it, without the documentation's final slash.
    consent: 'https://www.pinterest.com/oauth',
    token: 'https://api.pinterest.com/v5/oauth/token',
    scope: 'boards:read,boards:write,pins:read,pins:write,user_accounts:read',
    client: 'basic',
    account: 'https://api.pinterest.com/v5/user_account',
    accountField: /"id":"\d+"/,
    // Pinterest's errors have a form of their own.
    usedCode: { code: 'OAUTH_RESPONSE_IS_NOT_CONFORM' },
    waitHeader: 'x-ratelimit-reset',
  }),
};
