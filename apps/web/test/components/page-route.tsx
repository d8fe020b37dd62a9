/** A page at its route, for pages that read their address, and elements of a signed-in user. Other pages are empty. */
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { type ComponentType, createContext, type ReactNode, Suspense, useContext, useState } from 'react';

interface PageRoute {
  Page: ComponentType;
  /** Of the page, without search parameters. */
  path: string;
  /** What is opened: the path with search parameters or a hash. */
  address?: string;
  /** Whether it is one of the pages of a signed-in user. */
  isSignedIn?: boolean;
}

/** @param userId the signed-in user; null if the page is for everybody */
function routerWith(component: () => ReactNode, path: string, address: string, userId: string | null) {
  const root = createRootRoute({ notFoundComponent: () => null });
  const signedIn = createRoute({
    getParentRoute: () => root,
    id: 'signed-in',
    beforeLoad: () => ({ user: { id: userId } }),
  });
  const page = createRoute({ getParentRoute: () => (userId === null ? root : signedIn), path, component });
  const routeTree = root.addChildren(userId === null ? [page] : [signedIn.addChildren([page])]);
  return createRouter({ routeTree, history: createMemoryHistory({ initialEntries: [address] }) });
}

/** @returns the page to render, and what the address is now */
export function pageAt({ Page, path, address = path, isSignedIn = false }: PageRoute) {
  const component = () => (
    <Suspense>
      <Page />
    </Suspense>
  );
  const router = routerWith(component, path, address, isSignedIn ? 'user' : null);
  return { element: <RouterProvider router={router} />, href: () => router.state.location.href };
}

const SignedInContent = createContext<ReactNode>(null);

function SignedInPage() {
  return useContext(SignedInContent);
}

/** Shows an element in the route of a signed-in user. */
export function SignedIn({ userId, children }: { userId: string; children: ReactNode }) {
  const [router] = useState(() => routerWith(SignedInPage, '/', '/', userId));
  return (
    <SignedInContent value={children}>
      <RouterProvider router={router} />
    </SignedInContent>
  );
}
