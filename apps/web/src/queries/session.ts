/** The session: the signed-in user, sign-in and sign-out. */
import type { ReelayClient, SignedIn } from '@reelay/sdk';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { sessionKeys } from './keys.ts';

export const sessionQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: sessionKeys.current, queryFn: () => client.session.current(), staleTime: 60_000 });

/** Clears the cached session after it ended. The next page asks the service for the signed-in user. */
export const forgetSession = (queries: QueryClient) => queries.removeQueries({ queryKey: sessionKeys.current });

export const signInOptionsQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: sessionKeys.options, queryFn: () => client.session.options() });

export interface Credentials {
  email: string;
  password: string;
  /** Token of the first sign-up from another machine. */
  token?: string;
}

/** Signs in, or creates the user first. Clears the cache of a previous user. */
export function useSignIn(mode: 'sign-in' | 'sign-up') {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation<SignedIn, Error, Credentials>({
    mutationFn: (credentials) =>
      mode === 'sign-up' ? client.session.signUp(credentials) : client.session.signIn(credentials),
    onSuccess: () => queries.clear(),
  });
}

export function useSignOut() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({ mutationFn: () => client.session.signOut(), onSuccess: () => queries.clear() });
}

/** Completes a sign-in that needs a second factor. */
export function useEnterCode() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ code, isBackup }: { code: string; isBackup: boolean }) =>
      isBackup ? client.session.enterBackupCode(code) : client.session.enterCode(code),
    onSuccess: () => queries.clear(),
  });
}

export function useRequestReset() {
  const client = useClient();
  return useMutation({ mutationFn: (email: string) => client.session.requestPasswordReset(email) });
}

export function useResetPassword() {
  const client = useClient();
  return useMutation({
    mutationFn: (request: { token: string; newPassword: string }) => client.session.resetPassword(request),
  });
}
