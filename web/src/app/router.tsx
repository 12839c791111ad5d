import { lazy, Suspense, type FunctionComponent } from 'react';
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
  const load = reloadOnStaleBundle(screen.load);
  const Lazy = lazy(load);
  const options = {
    path: screen.path,
    component: withPermission(screen, Lazy),
    notFoundComponent: NotFound,
    beforeLoad: ({ params }: { params: Record<string, string | undefined> }) => {
      const id = params['id'] ?? params['conversationId'];
      if (id !== undefined && !isId(id)) throw notFound();
    },
    loader: () => void load().catch(() => {}),
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
const shortcutRoutes = ['/activity', '/calls'].map((path) =>
  createRoute({
    getParentRoute: () => framedRoute,
    path,
    beforeLoad: () => {
      throw redirect({ to: '/activity/$kind', params: { kind: 'calls' }, replace: true });
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

/** A new version replaced this page's files: reload once instead of failing. */
function reloadOnStaleBundle(load: Screen['load']): Screen['load'] {
  const storageKey = 'trunkline.reloaded';
  return async () => {
    try {
      const screen = await load();
      sessionStorage.removeItem(storageKey);
      return screen;
    } catch (problem) {
      if (sessionStorage.getItem(storageKey)) throw problem;
      sessionStorage.setItem(storageKey, '1');
      window.location.reload();
      return new Promise(() => {});
    }
  };
}

function withPermission({ permission: may }: Screen, Lazy: FunctionComponent): FunctionComponent {
  const Unguarded = (): React.ReactNode => (
    <Suspense fallback={<PageSkeleton />}>
      <Lazy />
    </Suspense>
  );
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
