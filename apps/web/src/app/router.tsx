/** The pages and their paths. A page's code is loaded when it is first shown. */
import type { ReelayClient } from '@reelay/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router';
import { claimBrowser } from '../drafts/browser-owner.ts';
import type { WorkspaceOf } from '../drafts/workspace.ts';
import type { FirstStream } from '../live/live.ts';
import { readSearch } from '../pages/calendar/range.ts';
import { accountGroupsQuery } from '../queries/account-groups.ts';
import { accountsQuery, catalogQuery } from '../queries/accounts.ts';
import { draftsQuery } from '../queries/drafts.ts';
import { historyQuery } from '../queries/history.ts';
import { keyQuery } from '../queries/key.ts';
import { notificationSettingsQuery, unreadQuery } from '../queries/notifications.ts';
import { auditQuery, queuesQuery, storageQuery, usersQuery } from '../queries/operator.ts';
import { passkeysQuery } from '../queries/passkeys.ts';
import { filterOf, parseSearch } from '../queries/post-search.ts';
import { postQuery } from '../queries/posts.ts';
import { rulesQuery } from '../queries/rules.ts';
import { sandboxQuery } from '../queries/sandbox.ts';
import { sessionQuery, signInOptionsQuery } from '../queries/session.ts';
import { setupsQuery } from '../queries/setup.ts';
import { sessionsQuery, userQuery } from '../queries/user.ts';
import { browserZone, zoneOf } from '../time/zone-time.ts';
import { lazyPage } from './lazy-page.ts';
import { withMoreTexts } from './more-texts.tsx';
import { FramelessFailure, NotFound, RouteFailure, RoutePending } from './route-states.tsx';
import { Shell } from './shell.tsx';
import { usePageFocus } from './use-page-focus.ts';

export interface RouterContext {
  client: ReelayClient;
  queries: QueryClient;
  workspaceOf: WorkspaceOf;
  /** Of the live updates. */
  firstStream: FirstStream | undefined;
}

/** What could not be read is requested, and its failure shown, where it is needed. */
const showLater = () => {};

const root = createRootRouteWithContext<RouterContext>()({ component: Root, errorComponent: FramelessFailure });

function Root() {
  usePageFocus();
  return <Outlet />;
}

/** Where a user returns after signing in. Only paths of this origin are accepted, which prevents open redirects. */
function returnPath(value: unknown): string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : '/';
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  // `ended`: the session ended, but the user did not sign out on this page.
  validateSearch: ({ to, ended }): { to?: string; ended?: true } => ({
    ...(to === undefined ? {} : { to: returnPath(to) }),
    ...(ended === true ? { ended } : {}),
  }),
  beforeLoad: async ({ context, search }) => {
    if (await context.queries.ensureQueryData(sessionQuery(context.client))) throw redirect({ to: search.to ?? '/' });
  },
  loader: ({ context }) => context.queries.ensureQueryData(signInOptionsQuery(context.client)),
  component: lazyPage(withMoreTexts(async () => (await import('../pages/sign-in/sign-in-page.tsx')).SignInPage)),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyPage(withMoreTexts(async () => (await import('../pages/sign-in/reset-page.tsx')).ResetPage)),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    const user = await context.queries.ensureQueryData(sessionQuery(context.client));
    if (!user) throw redirect({ to: '/sign-in', search: { to: location.href } });
    // Must run first: it ends the upload of another user, which writes its progress.
    context.workspaceOf(user.id);
    await claimBrowser(user.id).catch(() => {});
    return { user };
  },
  // Loaded in parallel with the page's data. Pages wait for it, because their times depend on the user's time zone.
  loader({ context: { client, queries } }) {
    // The frame shows them, and does not wait for them.
    queries.ensureQueryData(unreadQuery(client)).catch(showLater);
    queries.ensureQueryData(signInOptionsQuery(client)).catch(showLater);
    return queries.ensureQueryData(userQuery(client));
  },
  component: Shell,
  // The skeleton of the document stays until there is a frame.
  pendingComponent: () => null,
  errorComponent: FramelessFailure,
});

interface ComposeSearch {
  /** The time of the calendar slot in which a post was started, in ms since the epoch. */
  at?: number;
  /** Receiving a shared video failed. */
  shared?: 'failed';
}

const compose = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: ({ at, shared }): ComposeSearch => ({
    ...(typeof at === 'number' && Number.isSafeInteger(at) ? { at } : {}),
    ...(shared === 'failed' ? { shared } : {}),
  }),
  loader({ context: { client, queries, user } }) {
    // The page does not wait for them.
    queries.ensureQueryData(draftsQuery(client)).catch(showLater);
    queries.ensureQueryData(accountGroupsQuery(client, user.id)).catch(showLater);
    return queries.ensureQueryData(accountsQuery(client));
  },
  component: lazyPage(async () => (await import('../pages/compose/compose-page.tsx')).ComposePage),
});

const posts = createRoute({
  getParentRoute: () => signedIn,
  path: '/posts',
  validateSearch: parseSearch,
  loader: ({ context: { client, queries }, location }) => {
    const search = parseSearch(location.search);
    const readIn = (zone: string) =>
      queries.prefetchInfiniteQuery(historyQuery(client, filterOf(search, zoneOf(zone, browserZone()))));
    // Only filters by day depend on the user's time zone.
    const hasDays = search.from !== undefined || search.to !== undefined;
    return Promise.all([
      queries.ensureQueryData(accountsQuery(client)),
      // If the user cannot be read, the shell fails too. If the posts cannot be read, the page itself shows the reason.
      hasDays ? queries.ensureQueryData(userQuery(client)).then(({ zone }) => readIn(zone)) : readIn(''),
    ]);
  },
  component: lazyPage(withMoreTexts(async () => (await import('../pages/posts/posts-page.tsx')).PostsPage)),
});

const post = createRoute({
  getParentRoute: () => signedIn,
  path: '/posts/$id',
  loader: ({ context, params }) => context.queries.ensureQueryData(postQuery(context.client, params.id)),
  component: lazyPage(withMoreTexts(async () => (await import('../pages/posts/post-page.tsx')).PostPage)),
});

const editPost = createRoute({
  getParentRoute: () => signedIn,
  path: '/posts/$id/edit',
  loader: ({ context: { client, queries }, params }) =>
    Promise.all([
      queries.ensureQueryData(postQuery(client, params.id)),
      queries.ensureQueryData(accountsQuery(client)),
    ]),
  component: lazyPage(withMoreTexts(async () => (await import('../pages/compose/edit/edit-page.tsx')).EditPage)),
});

const calendar = createRoute({
  getParentRoute: () => signedIn,
  path: '/calendar',
  validateSearch: readSearch,
  component: lazyPage(withMoreTexts(async () => (await import('../pages/calendar/calendar-page.tsx')).CalendarPage)),
});

const accounts = createRoute({
  getParentRoute: () => signedIn,
  path: '/accounts',
  // `account`: the account whose details are open. `setup`: the platform whose set-up is open.
  validateSearch: ({ account, setup }): { account?: string; setup?: string } => ({
    ...(typeof account === 'string' && account !== '' ? { account } : {}),
    ...(typeof setup === 'string' && setup !== '' ? { setup } : {}),
  }),
  loader: ({ context: { client, queries } }) =>
    Promise.all([
      queries.ensureQueryData(accountsQuery(client)),
      queries.ensureQueryData(signInOptionsQuery(client)),
      queries.ensureQueryData(catalogQuery(client)),
    ]),
  component: lazyPage(withMoreTexts(async () => (await import('../pages/accounts/accounts-page.tsx')).AccountsPage)),
});

const reposts = createRoute({
  getParentRoute: () => signedIn,
  path: '/reposts',
  // `rule`: the rule whose panel is open. `tab`: where the panel opens.
  validateSearch: ({ view, rule, tab }): { view?: 'picture' | 'table'; rule?: string; tab?: 'options' } => ({
    ...(view === 'picture' || view === 'table' ? { view } : {}),
    ...(typeof rule === 'string' && rule !== '' ? { rule } : {}),
    ...(tab === 'options' ? { tab } : {}),
  }),
  loader: ({ context: { client, queries } }) =>
    Promise.all([queries.ensureQueryData(accountsQuery(client)), queries.ensureQueryData(rulesQuery(client))]),
  component: lazyPage(withMoreTexts(async () => (await import('../pages/reposts/reposts-page.tsx')).RepostsPage)),
});

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  loader: ({ context: { client, queries } }) =>
    Promise.all([
      queries.ensureQueryData(keyQuery(client)),
      queries.ensureQueryData(notificationSettingsQuery(client)),
      queries.ensureQueryData(sessionsQuery(client)),
      queries.ensureQueryData(passkeysQuery(client)),
      queries.ensureQueryData(signInOptionsQuery(client)),
    ]),
  component: lazyPage(withMoreTexts(async () => (await import('../pages/settings/settings-page.tsx')).SettingsPage)),
});

const operator = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator',
  component: lazyPage(withMoreTexts(async () => (await import('../pages/operator/operator-page.tsx')).OperatorPage)),
});

const operatorIndex = createRoute({
  getParentRoute: () => operator,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/operator/users', replace: true });
  },
});

const operatorUsers = createRoute({
  getParentRoute: () => operator,
  path: '/users',
  loader: ({ context }) => context.queries.ensureInfiniteQueryData(usersQuery(context.client, '')),
  component: lazyPage(async () => (await import('../pages/operator/users-page.tsx')).UsersPage),
});

const operatorPlatforms = createRoute({
  getParentRoute: () => operator,
  path: '/platforms',
  loader: ({ context }) => context.queries.ensureQueryData(setupsQuery(context.client)),
  component: lazyPage(async () => (await import('../pages/operator/platforms-page.tsx')).PlatformsPage),
});

const operatorQueue = createRoute({
  getParentRoute: () => operator,
  path: '/queue',
  loader: ({ context }) => context.queries.ensureQueryData(queuesQuery(context.client)),
  component: lazyPage(async () => (await import('../pages/operator/queue-page.tsx')).QueuePage),
});

const operatorStorage = createRoute({
  getParentRoute: () => operator,
  path: '/storage',
  loader: ({ context }) => context.queries.ensureQueryData(storageQuery(context.client)),
  component: lazyPage(async () => (await import('../pages/operator/storage-page.tsx')).StoragePage),
});

const operatorDoctor = createRoute({
  getParentRoute: () => operator,
  path: '/doctor',
  component: lazyPage(async () => (await import('../pages/operator/doctor-page.tsx')).DoctorPage),
});

const operatorAudit = createRoute({
  getParentRoute: () => operator,
  path: '/audit',
  validateSearch: ({ user }): { user?: string } => (typeof user === 'string' && user ? { user } : {}),
  loaderDeps: ({ search: { user } }) => ({ user }),
  loader: ({ context, deps }) => context.queries.ensureInfiniteQueryData(auditQuery(context.client, deps.user)),
  component: lazyPage(async () => (await import('../pages/operator/audit-page.tsx')).AuditPage),
});

const sandbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/sandbox',
  loader: ({ context: { client, queries } }) =>
    Promise.all([queries.ensureQueryData(accountsQuery(client)), queries.ensureQueryData(sandboxQuery(client))]),
  component: lazyPage(withMoreTexts(async () => (await import('../pages/sandbox/sandbox-page.tsx')).SandboxPage)),
});

/** Inside the shell, so that its navigation remains available. */
const notFound = createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFound });

const tree = root.addChildren([
  signIn,
  resetPassword,
  signedIn.addChildren([
    compose,
    posts,
    post,
    editPost,
    calendar,
    accounts,
    reposts,
    settings,
    sandbox,
    notFound,
    operator.addChildren([
      operatorIndex,
      operatorUsers,
      operatorPlatforms,
      operatorQueue,
      operatorStorage,
      operatorDoctor,
      operatorAudit,
    ]),
  ]),
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

  /** What a page passes to the next one, and is not part of its address. */
  interface HistoryState {
    /** A scheduled post became a draft, which the compose page shows. `at`: ms since the epoch. */
    movedPost?: { draftId: string; at: number } | undefined;
  }
}
