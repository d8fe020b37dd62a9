/**
 * A second instance of better-auth that also knows passkeys. Loaded on first use of one, because its parsers of
 * certificates take memory that services without passkeys can save.
 */
import { getAuthenticatorName, type PasskeyOptions, passkey } from '@better-auth/passkey';
import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { type AuthOptions, authSettings } from './better-auth.ts';
import type { PasskeyHost } from './passkey-host.ts';

/** Its tables are also those of {@link authSettings}. */
export function passkeySettings(options: AuthOptions, host: PasskeyHost) {
  const settings = authSettings(options);
  return {
    ...settings,
    // The password is verified before a challenge is issued, which is stricter.
    session: { ...settings.session, freshAge: 0 },
    advanced: {
      ...settings.advanced,
      ...(options.config.httpsOnly
        ? { cookies: { ...settings.advanced.cookies, passkey: { name: '__Host-reelay.passkey' } } }
        : {}),
    },
    plugins: [...settings.plugins, passkey(pluginOptions(host))],
  };
}

export function createPasskeyAuth(options: AuthOptions, host: PasskeyHost): (request: Request) => Promise<Response> {
  return betterAuth(passkeySettings(options, host)).handler;
}

function pluginOptions(host: PasskeyHost): PasskeyOptions {
  return {
    rpID: host.name,
    rpName: 'Reelay',
    origin: host.origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    advanced: { webAuthnChallengeCookie: 'passkey' },
    registration: {
      afterVerification: ({ verification, user }) => {
        requireUser(verification.registrationInfo?.userVerified);
        return { userId: user.id, name: getAuthenticatorName(verification.registrationInfo?.aaguid) ?? 'Passkey' };
      },
    },
    authentication: {
      afterVerification: ({ verification }) => requireUser(verification.authenticationInfo.userVerified),
    },
    schema: {
      passkey: {
        fields: {
          publicKey: 'public_key',
          userId: 'user_id',
          credentialID: 'credential_id',
          deviceType: 'device_type',
          backedUp: 'backed_up',
          createdAt: 'created_at',
        },
      },
    },
  };
}

/** A passkey replaces the password and the second factor, so the device must have verified its user. */
function requireUser(verified: boolean | undefined): void {
  if (verified !== true) throw new APIError('UNAUTHORIZED', { code: 'USER_NOT_VERIFIED' });
}
