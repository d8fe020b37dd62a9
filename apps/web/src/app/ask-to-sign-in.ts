import type { QueryClient } from '@tanstack/react-query';
import type { useRouter } from '@tanstack/react-router';
import { forgetSession } from '../queries/session.ts';

/** Leads to the sign-in page, which leads back here: at once if somebody is signed in after all. */
export function askToSignIn(router: ReturnType<typeof useRouter>, queries: QueryClient): void {
  const { location } = router.state;
  if (location.pathname === '/sign-in') return;
  // Otherwise the sign-in page would believe that somebody is.
  forgetSession(queries);
  void router.navigate({ to: '/sign-in', search: { to: location.href, ended: true } });
}
