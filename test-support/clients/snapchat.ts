/** Snapchat: the general OAuth libraries. No independent client on npm publishes. */
import type { ClientSuite } from './contract.ts';
import { oauthClients } from './oauth.ts';

export const suite: ClientSuite = {
  hosts: ['accounts.snapchat.com', 'businessapi.snapchat.com'],
  clients: oauthClients({
    issuer: 'https://accounts.snapchat.com',
    consent: 'https://accounts.snapchat.com/login/oauth2/authorize',
    token: 'https://accounts.snapchat.com/login/oauth2/access_token',
    scope: 'snapchat-profile-api',
    client: 'post',
    account: 'https://businessapi.snapchat.com/v1/public_profiles/my_profile',
    accountField: /"snap_user_name":"nora"/,
    usedCode: { code: 'OAUTH_RESPONSE_BODY_ERROR', error: 'invalid_grant', status: 400 },
    waitHeader: 'retry-after',
  }),
};
