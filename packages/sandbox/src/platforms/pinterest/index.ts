/** Simulator of Pinterest: OAuth, boards, video upload by an S3 form, and pins (API v5). */
import type { Simulator, SimulatorModule, SimulatorOptions, SimulatorVariant } from '../../contract.ts';
import { authenticationFailed, refusal, tooMany } from './answers.ts';
import { route } from './caller.ts';
import { consentRoutes } from './consent.ts';
import { mediaRoutes } from './media.ts';
import { avatar, pinPage } from './pages.ts';
import { pinRoutes } from './pins.ts';
import { profileRoutes } from './profile.ts';
import { enrolAccount, SCOPES, SETTINGS, type Settings } from './records.ts';
import { receiveForm } from './s3.ts';
import { exchange, grantTokens } from './tokens.ts';

/** Wait in seconds for an error that gives one. */
const REFUSED_WAIT_SECONDS = 2;

export const simulator: SimulatorModule = {
  platform: 'pinterest',
  create,
  endpoints: (baseUrl) => ({ api: baseUrl, www: baseUrl }),
  variants: [
    variant('lists that lag a minute', { listLagMs: 60_000 }),
    variant('lists that begin with the oldest, and times of another zone', { oldestFirst: true, zoneMs: -28_800_000 }),
  ],
};

function variant(name: string, settings: Partial<Settings>): SimulatorVariant {
  return { name, prepare: (books) => books.put(...SETTINGS, settings) };
}

function create(options: SimulatorOptions): Simulator {
  return {
    platform: 'pinterest',
    routes: [
      ...consentRoutes(options),
      route('POST', '/v5/oauth/token', (request) => exchange(options, request)),
      ...profileRoutes(options),
      ...mediaRoutes(options),
      ...pinRoutes(options),
      route('POST', '/s3/', (request) => receiveForm(options, request)),
      route('GET', '/pin/:id/', (request) => pinPage(options, request)),
      route('GET', '/avatar/:id', (request) => avatar(options, request)),
    ],
    refusal(kind) {
      switch (kind) {
        case 'rate-limited':
          return refusal(429, 8, 'You have exceeded your rate limit. Try again later.');
        case 'rate-limited-with-wait':
          return tooMany(REFUSED_WAIT_SECONDS);
        case 'server-error':
          return refusal(500, 12, 'Something went wrong on our end. Sorry about that.');
        case 'token-expired':
        case 'token-revoked':
          return authenticationFailed();
      }
    },
    unknownRoute: () => refusal(404, 40, 'The requested resource was not found.'),
    async enrol(username) {
      const account = await enrolAccount(options, username);
      return {
        remoteId: account.id,
        username: account.username,
        tokenAnswer: await grantTokens(options, account.id, SCOPES),
        credentials: null,
      };
    },
  };
}
