import { lazy, Suspense, useState, type FunctionComponent } from 'react';
import {
  createRootRoute,
  createRoute,
  createRouter,
  notFound,
  Outlet,
  redirect,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import {
  ErrorState,
  interceptLinks,
  Page,
  PageSkeleton,
  reloadOnStaleBundle,
  setNavigator,
  t,
  usePermission,
} from '#ui';
import NotAllowed from './NotAllowed.tsx';
import NotFound from '../shared/NotFound.tsx';
import { screens } from '../features/index.ts';
import type { Screen } from '../features/feature.ts';
import { isId } from '../shared/params.ts';
import { Shell } from './Shell.tsx';
import { RequireSession } from './RequireSession.tsx';

/** Loaded beside the screen, which shows the colors of the last visit meanwhile. */
const BrandLook = lazy(() => import('./BrandLook.tsx'));
const rootRoute = createRootRoute({
  component: () => (
    <>
      <Suspense>
        <BrandLook />
      </Suspense>
      <Outlet />
    </>
  ),
  notFoundComponent: NotFound,
});
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed',
  component: () => (
    <RequireSession>
      <Outlet />
    </RequireSession>
  ),
});
const framedRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'framed',
  component: () => (
    <Shell>
      <Outlet />
    </Shell>
  ),
});

const routes = screens.map((screen) => {
  const { load, Shown } = remembered(reloadOnStaleBundle(screen.load));
  const waiting = framedTab(screen);
  const options = {
    path: screen.path,
    component: withPermission(screen, Shown),
    ...(waiting && { pendingComponent: waiting, pendingMs: 1000 }),
    notFoundComponent: NotFound,
    beforeLoad: ({ params }: { params: Record<string, string | undefined> }) => {
      const id = params['id'] ?? params['conversationId'];
      if (id !== undefined && !isId(id)) throw notFound();
    },
    loader: () => {
      const loading = load().then(
        () => {},
        () => {},
      );
      // Of settings, the page before stays until this one's code is here, so that nothing jumps.
      return waiting && loading;
    },
  } as const;
  const parent =
    screen.frame === 'public' ? rootRoute : screen.frame === 'bare' ? signedInRoute : framedRoute;
  return [parent, createRoute({ getParentRoute: () => parent, ...options })] as const;
});
const childrenOf = (parent: unknown) =>
  routes.filter(([p]) => p === parent).map(([, route]) => route);
const notFoundRoute = createRoute({
  getParentRoute: () => framedRoute,
  path: '$',
  component: NotFound,
});
/** Addresses that people type: where each leads. */
const shortcuts = {
  '/activity': '/activity/calls',
  '/calls': '/activity/calls',
  '/messages': '/activity/messages',
  '/voicemails': '/activity/voicemails',
  '/fax': '/activity/fax',
  '/dashboard': '/analytics/dashboard',
  '/tracking': '/tracking/pools',
  '/reports': '/analytics/dashboard',
  '/analytics': '/analytics/dashboard',
};
const shortcutRoutes = Object.entries(shortcuts).map(([path, to]) =>
  createRoute({
    getParentRoute: () => framedRoute,
    path,
    beforeLoad: () => {
      throw redirect({ to, replace: true });
    },
  }),
);
const routeTree = rootRoute.addChildren([
  ...childrenOf(rootRoute),
  signedInRoute.addChildren([
    ...childrenOf(signedInRoute),
    framedRoute.addChildren([...childrenOf(framedRoute), ...shortcutRoutes, notFoundRoute]),
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 120,
  defaultPendingMinMs: 0,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: ScreenError, // its declared type wants a lazy component, any component works
  scrollRestoration: true,
  // Query values stay strings: `?q=555` is text, not a number.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text ? `?${text}` : '';
  },
});

/** The frame of settings, which is loaded by then, around what is not. */
const WaitingTab = lazy(() => import('./WaitingTab.tsx'));
function framedTab({ tab }: Screen): FunctionComponent | undefined {
  if (tab?.row !== 'settings' && tab?.row !== 'organization') return undefined;
  const { row, label } = tab;
  return () => (
    <Suspense fallback={<PageSkeleton />}>
      <WaitingTab row={row} title={label()} />
    </Suspense>
  );
}

/** A screen that, once its code is loaded, is shown without a fallback in between. */
function remembered(fetch: Screen['load']): { load: Screen['load']; Shown: FunctionComponent } {
  let loaded: FunctionComponent | undefined;
  const load: Screen['load'] = async () => {
    const screen = await fetch();
    loaded = screen.default;
    return screen;
  };
  const Lazy = lazy(load);
  function Shown() {
    // Chosen once: another component in its place would lose what was typed.
    const [Content] = useState<FunctionComponent>(() => loaded ?? Lazy);
    return (
      <Suspense fallback={<PageSkeleton />}>
        <Content />
      </Suspense>
    );
  }
  return { load, Shown };
}

function withPermission(
  { permission: may }: Screen,
  Unguarded: FunctionComponent,
): FunctionComponent {
  if (!may) return Unguarded;
  return function Guarded() {
    return usePermission(may) ? <Unguarded /> : <NotAllowed />;
  };
}

function ScreenError({ error, reset }: ErrorComponentProps) {
  return (
    <Page title={t('Something went wrong')}>
      <ErrorState title={t('This page stopped working')} retry={reset} />
      <Detail text={error instanceof Error ? error.message : String(error)} />
    </Page>
  );
}
const Detail = ({ text }: { text: string }) => (
  <details>
    <summary>{t('Details')}</summary>
    <pre>{text}</pre>
  </details>
);

/** URLs of this host outside this app: other apps, documents, files. */
const isElsewhere = (to: string): boolean =>
  /^\/(api|docs|dev|media|sandbox|admin|caddy)([/?#]|$)/.test(to);

setNavigator({
  push: (to) => (isElsewhere(to) ? window.location.assign(to) : router.history.push(to)),
  replace: (to) => (isElsewhere(to) ? window.location.replace(to) : router.history.replace(to)),
  location: () => router.history.location,
  subscribe: (listener) => router.history.subscribe(() => listener()),
  // The router blocks when this is true; the kit's guard answers whether leaving is allowed.
  block: (ask) =>
    router.history.block({
      blockerFn: async ({ currentLocation, nextLocation }) =>
        currentLocation.pathname !== nextLocation.pathname && !(await ask()),
      enableBeforeUnload: false,
    }),
});

/** Links within this app navigate without a page load. */
export const interceptAppLinks = (): void =>
  interceptLinks(
    (pathname) => !isElsewhere(pathname),
    (to) => router.history.push(to),
  );
