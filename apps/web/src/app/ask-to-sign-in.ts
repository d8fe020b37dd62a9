import type { QueryClient } from '@tanstack/react-query';
import type { useRouter } from '@tanstack/react-router';
import { forgetSession } from '../queries/session.ts';

/** Opens the sign-in page, which returns to this page: immediately if a user is still signed in. */
export function askToSignIn(router: ReturnType<typeof useRouter>, queries: QueryClient): void {
  const { location } = router.state;
  if (location.pathname === '/sign-in') return;
  // Otherwise the sign-in page would use the cached user and return immediately.
  forgetSession(queries);
  void router.navigate({ to: '/sign-in', search: { to: location.href, ended: true } });
}
