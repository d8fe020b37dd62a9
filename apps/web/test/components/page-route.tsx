/** A page at its route, for pages that read their address. Pages that it leads to are empty. */
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { type ComponentType, Suspense } from 'react';

interface PageRoute {
  Page: ComponentType;
  /** Of the page, without search parameters. */
  path: string;
  /** What is opened: the path with search parameters or a hash. */
  address?: string;
  /** Whether it is one of the pages of a signed-in user. */
  isSignedIn?: boolean;
}

/** @returns the page to render, and what the address is now */
export function pageAt({ Page, path, address = path, isSignedIn = false }: PageRoute) {
  const root = createRootRoute({ notFoundComponent: () => null });
  const pages = createRoute({ getParentRoute: () => root, id: 'signed-in' });
  const component = () => (
    <Suspense>
      <Page />
    </Suspense>
  );
  const page = createRoute({ getParentRoute: () => (isSignedIn ? pages : root), path, component });
  const routeTree = isSignedIn ? root.addChildren([pages.addChildren([page])]) : root.addChildren([page]);
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: [address] }) });
  return { element: <RouterProvider router={router} />, href: () => router.state.location.href };
}
