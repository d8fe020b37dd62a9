/** Simulator of a Mastodon 4.5 instance, based on docs.joinmastodon.org and Mastodon's source. */

import type { Simulator, SimulatorModule, SimulatorOptions } from '../../contract.ts';
import { asConsent } from '../../oauth/consent.ts';
import { pictureRoute } from '../../profile-pictures/route.ts';
import { MINUTE } from '../../time.ts';
import { refusal, tooManyRequests, unauthorized } from './access.ts';
import { appRoutes, issueToken } from './apps.ts';
import { consentRoutes } from './consent.ts';
import { instanceRoutes } from './instance.ts';
import { mediaRoutes } from './media.ts';
import { phone } from './phone.ts';
import { type Account, type App, accountNamed, createWorld, variant } from './state.ts';
import { statusRoutes } from './statuses.ts';
import { streamingRoutes } from './streaming.ts';
import { text } from './texts.ts';

const SCOPES = ['read:accounts', 'read:statuses', 'write:media', 'write:statuses'];

export const simulator: SimulatorModule = {
  platform: 'mastodon',
  create,
  endpoints: (baseUrl) => ({ instance: baseUrl }),
  variants: [
    variant('lists that lag a minute', { listLagMs: MINUTE }),
    variant('idempotency keys that are not kept', { forgetIdempotencyKey: true }),
    variant('an older server', { oldServer: true, synchronousMedia: true }),
  ],
};

function create(options: SimulatorOptions): Simulator {
  const world = createWorld(options);
  return {
    platform: 'mastodon',
    routes: [
      ...appRoutes(world),
      ...asConsent(consentRoutes(world)),
      ...instanceRoutes(world),
      ...mediaRoutes(world),
      ...statusRoutes(world),
      ...streamingRoutes(world),
      pictureRoute<Account>(options, '/avatars/original/:id', 'account', ({ id, username: name }) => ({
        place: 4,
        name,
        id,
      })),
    ],
    refusal: (kind) => {
      return {
        'rate-limited': refusal(429, text('en', 'tooMany')),
        'rate-limited-with-wait': tooManyRequests('en', options.now()),
        'server-error': {
          status: 500,
          headers: { 'content-type': 'text/html; charset=utf-8' },
          body: "<!doctype html><title>We're sorry, but something went wrong on our end.</title>",
        },
        'token-expired': unauthorized('en', 'expiredToken'),
        'token-revoked': unauthorized('en', 'revokedToken'),
      }[kind];
    },
    unknownRoute: () => refusal(404, 'Not Found'),
    phone: phone(world),
    async enrol(username) {
      const account = await accountNamed(world, username);
      const app: App = {
        id: '1',
        name: 'Sandbox',
        website: null,
        redirectUris: ['urn:ietf:wg:oauth:2.0:oob'],
        scopes: SCOPES,
        ...options.app,
      };
      await options.store.insert('app', app.clientId, app);
      const tokenAnswer = await issueToken(world, { clientId: app.clientId, accountId: account.id, scopes: SCOPES });
      return { remoteId: account.id, username: account.username, tokenAnswer, credentials: null };
    },
  };
}
