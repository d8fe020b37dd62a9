import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/**
 * Moves the focus to the heading of a page that was opened by a link, so that screen readers announce the page and the
 * next Tab continues there. A visit begins with the skip link instead.
 */
export function usePageFocus(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
        // A link to a part of the page leads there.
        if (fromLocation && pathChanged && toLocation.hash === '') focusPage();
      }),
    [router],
  );
}

function focusPage(): void {
  const main = document.querySelector('main');
  const focused = document.activeElement;
  // The page has placed the focus itself, its own links were used, or a dialog is open.
  if (!main || main.contains(focused) || focused?.closest('[role=dialog]')) return;
  const heading = main.querySelector<HTMLElement>('h1');
  // A page that still loads hides what was shown before.
  (heading?.checkVisibility() ? heading : main).focus({ preventScroll: true });
}
