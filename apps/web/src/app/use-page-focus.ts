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
        // The browser handles links to a part of a page.
        if (fromLocation && pathChanged && toLocation.hash === '') focusPage();
      }),
    [router],
  );
}

function focusPage(): void {
  const main = document.querySelector('main');
  const focused = document.activeElement;
  // The page has set the focus itself, the user followed a link within the page, or a dialog is open.
  if (!main || main.contains(focused) || focused?.closest('[role=dialog]')) return;
  const heading = main.querySelector<HTMLElement>('h1');
  // React hides the previous page while the new one loads.
  (heading?.checkVisibility() ? heading : main).focus({ preventScroll: true });
}
