/**
 * Lists which connectors use standard OAuth consent, and how the test server replaces their platform. `routes` are the
 * paths that the connector requests, so that its code runs unchanged.
 */
import type { Endpoints, OAuthFlow } from '../../../src/connectors/contract.ts';
import { connector as linkedin } from '../../../src/connectors/linkedin/index.ts';
import { connector as mastodon } from '../../../src/connectors/mastodon/index.ts';
import { connector as pinterest } from '../../../src/connectors/pinterest/index.ts';
import { connector as snapchat } from '../../../src/connectors/snapchat/index.ts';
import { connector as x } from '../../../src/connectors/x/index.ts';
import { connector as youtube } from '../../../src/connectors/youtube/index.ts';
import type { ClientKind, OidcOptions } from './server.ts';

export interface StandardFlow {
  platform: string;
  oauth: OAuthFlow;
  client: ClientKind;
  pkce: boolean;
  routes: NonNullable<OidcOptions['routes']>;
  endpoints(url: string): Endpoints;
  /** Scopes as the platform writes them in one request; default: separated by spaces. */
  scopes?: readonly string[];
  /** False if the connector cannot revoke, or revokes in a platform-specific way. */
  revokes: boolean;
}

export const STANDARD: readonly StandardFlow[] = [
  {
    platform: 'x',
    oauth: x.oauth,
    client: 'basic',
    pkce: true,
    routes: { authorization: '/i/oauth2/authorize', token: '/2/oauth2/token', revocation: '/2/oauth2/revoke' },
    endpoints: (url) => ({ api: url, www: url }),
    revokes: true,
  },
  {
    platform: 'youtube',
    oauth: youtube.oauth,
    client: 'post',
    pkce: true,
    routes: { authorization: '/o/oauth2/v2/auth', token: '/token', revocation: '/revoke' },
    endpoints: (url) => ({ accounts: url, oauth: url }),
    // Google accepts revocation from any holder of a token; RFC 7009 (2.1) requires client authentication.
    revokes: false,
  },
  {
    platform: 'linkedin',
    oauth: linkedin.oauth,
    client: 'post',
    pkce: false,
    routes: {
      authorization: '/oauth/v2/authorization',
      token: '/oauth/v2/accessToken',
      revocation: '/oauth/v2/revoke',
    },
    endpoints: (url) => ({ www: url }),
    revokes: true,
  },
  {
    platform: 'snapchat',
    oauth: snapchat.oauth,
    client: 'post',
    pkce: false,
    routes: { authorization: '/login/oauth2/authorize', token: '/login/oauth2/access_token' },
    endpoints: (url) => ({ accounts: url }),
    revokes: false,
  },
  {
    platform: 'pinterest',
    oauth: pinterest.oauth,
    client: 'basic',
    pkce: false,
    routes: { authorization: '/oauth/', token: '/v5/oauth/token' },
    endpoints: (url) => ({ api: url, www: url }),
    // Scopes are separated by commas; in the standard's grammar (RFC 6749, 3.3) that is one scope with a long name.
    scopes: [pinterest.oauth.scopes.join(',')],
    revokes: false,
  },
  {
    platform: 'mastodon',
    // The application registers at the non-standard `/api/v1/apps`; here it is already registered.
    oauth: mastodon.oauth,
    client: 'post',
    pkce: true,
    routes: { authorization: '/oauth/authorize', token: '/oauth/token', revocation: '/oauth/revoke' },
    endpoints: (url) => ({ instance: url }),
    revokes: true,
  },
];

/** Why the others cannot run against a standard server. */
export const DEVIANT: Record<string, string> = {
  bluesky: 'Pushed requests, DPoP and `sub` beside the tokens: has a file of its own, and one for a real PDS.',
  facebook: 'Scopes separated by commas, no grant_type with the code, then fb_exchange_token; pages have tokens too.',
  instagram: 'Scopes separated by commas, tokens renew themselves by a GET with a grant type of their own.',
  threads: 'Scopes separated by commas, tokens renew themselves by a GET with a grant type of their own.',
  tiktok: 'The client is called client_key, scopes are separated by commas, the challenge is in hexadecimal.',
};
