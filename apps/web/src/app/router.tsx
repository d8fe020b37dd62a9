/** The pages and their paths. A page's code is loaded when it is first shown. */
import type { ReelayClient } from '@reelay/sdk';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { accountsQuery } from '../service/accounts.ts';
import { keyQuery } from '../service/key.ts';
import { historyQuery, postQuery } from '../service/posts.ts';
import { rulesQuery } from '../service/rules.ts';
import { sessionQuery, signInOptionsQuery } from '../service/session.ts';
import { NotFound, RouteFailure, RoutePending } from './route-states.tsx';
import { Shell } from './shell.tsx';

export interface RouterContext {
  client: ReelayClient;
  queries: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet });

/** Where a user returns after signing in. Only a path of this page, so that no link can lead elsewhere. */
function returnPath(value: unknown): string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : '/';
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search): { to?: string } => (search.to === undefined ? {} : { to: returnPath(search.to) }),
  beforeLoad: async ({ context, search }) => {
    if (await context.queries.ensureQueryData(sessionQuery(context.client))) throw redirect({ to: search.to ?? '/' });
  },
  loader: ({ context }) => context.queries.ensureQueryData(signInOptionsQuery(context.client)),
  component: lazyRouteComponent(() => import('../pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('../pages/sign-in/reset-page.tsx'), 'ResetPage'),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const user = await context.queries.ensureQueryData(sessionQuery(context.client));
    if (!user) throw redirect({ to: '/sign-in', search: { to: location.href } });
    return { user };
  },
  component: Shell,
});

const compose = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  loader: ({ context }) => context.queries.ensureQueryData(accountsQuery(context.client)),
  component: lazyRouteComponent(() => import('../pages/compose/compose-page.tsx'), 'ComposePage'),
});

const posts = createRoute({
  getParentRoute: () => signedIn,
  path: '/posts',
  loader: ({ context }) => context.queries.ensureInfiniteQueryData(historyQuery(context.client)),
  component: lazyRouteComponent(() => import('../pages/posts/posts-page.tsx'), 'PostsPage'),
});

const post = createRoute({
  getParentRoute: () => signedIn,
  path: '/posts/$id',
  loader: ({ context, params }) => context.queries.ensureQueryData(postQuery(context.client, params.id)),
  component: lazyRouteComponent(() => import('../pages/posts/post-page.tsx'), 'PostPage'),
});

const accounts = createRoute({
  getParentRoute: () => signedIn,
  path: '/accounts',
  loader: ({ context: { client, queries } }) =>
    Promise.all([queries.ensureQueryData(accountsQuery(client)), queries.ensureQueryData(signInOptionsQuery(client))]),
  component: lazyRouteComponent(() => import('../pages/accounts/accounts-page.tsx'), 'AccountsPage'),
});

const reposts = createRoute({
  getParentRoute: () => signedIn,
  path: '/reposts',
  loader: ({ context: { client, queries } }) =>
    Promise.all([queries.ensureQueryData(accountsQuery(client)), queries.ensureQueryData(rulesQuery(client))]),
  component: lazyRouteComponent(() => import('../pages/reposts/reposts-page.tsx'), 'RepostsPage'),
});

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  loader: ({ context }) => context.queries.ensureQueryData(keyQuery(context.client)),
  component: lazyRouteComponent(() => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
});

const tree = root.addChildren([
  signIn,
  resetPassword,
  signedIn.addChildren([compose, posts, post, accounts, reposts, settings]),
]);

export function createAppRouter(context: RouterContext) {
  return createRouter({
    routeTree: tree,
    basepath: '/app',
    context,
    defaultPreload: 'intent',
    defaultErrorComponent: RouteFailure,
    defaultPendingComponent: RoutePending,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
