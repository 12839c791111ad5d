import { Suspense, useEffect, type ComponentType } from 'react';
import { Center, Loader } from '@mantine/core';
import {
  currentLocation,
  EmptyState,
  navigate,
  lazyScreen,
  t,
  usePath,
  useSession,
  useTitle,
} from '#ui';
import { useDateLocale } from './date-locale.ts';
import { Frame } from './Frame.tsx';
import { Inbox } from './messages/Inbox.tsx';
import { SignIn } from './sign-in/SignIn.tsx';

/** Before signing in. */
const publicScreens: Record<string, ComponentType> = {
  '/caddy/welcome': () => <SignIn mode="up" />,
  '/caddy/sign-in': () => <SignIn mode="in" />,
  '/caddy/sign-in/return': lazyScreen(() => import('./sign-in/ProviderReturn.tsx')),
  '/caddy/reset-password': lazyScreen(() => import('./sign-in/ResetPassword.tsx')),
};

/** The signed-in person's, by path; `#` is an ID. */
const screens: Record<string, ComponentType<{ id: number }>> = {
  '/caddy/': Inbox,
  '/caddy/threads/new': lazyScreen(() => import('./messages/NewText.tsx')),
  '/caddy/threads/#': lazyScreen(() => import('./messages/Thread.tsx')),
  '/caddy/calls': lazyScreen(() => import('./calls/Calls.tsx')),
  '/caddy/numbers': lazyScreen(() => import('./numbers/Numbers.tsx')),
  '/caddy/numbers/new': lazyScreen(() => import('./numbers/ChooseNumber.tsx')),
  '/caddy/numbers/#/exchange': lazyScreen(() => import('./numbers/ChooseNumber.tsx')),
  '/caddy/account': lazyScreen(() => import('./account/Account.tsx')),
  '/caddy/account/profile': lazyScreen(() => import('./account/Profile.tsx')),
  '/caddy/account/plan': lazyScreen(() => import('./account/Plan.tsx')),
  '/caddy/account/calls': lazyScreen(() => import('./account/CallSettings.tsx')),
  '/caddy/account/notifications': lazyScreen(() => import('./account/Notifications.tsx')),
  '/caddy/account/contacts': lazyScreen(() => import('./contacts/Contacts.tsx')),
  '/caddy/account/password': lazyScreen(() => import('./account/Password.tsx')),
  '/caddy/account/blocked': lazyScreen(() => import('./account/Blocked.tsx')),
  '/caddy/account/invite': lazyScreen(() => import('./account/Invite.tsx')),
  '/caddy/account/support': lazyScreen(() => import('./account/Support.tsx')),
  '/caddy/account/delete': lazyScreen(() => import('./account/DeleteAccount.tsx')),
};

/** A phone number for one person: sign-in, or the screens in their frame. */
export function Caddy() {
  const path = usePath();
  // Screens are drawn anew in another language.
  useDateLocale();
  const isSignedIn = useSession((s) => s.selectedCompanyId !== null);
  const Public = publicScreens[path];
  if (!isSignedIn && !Public) return <ToSignIn />;
  if (Public)
    return isSignedIn ? (
      <Redirect to="/caddy/" />
    ) : (
      <Suspense fallback={<Loading />}>
        <Public />
      </Suspense>
    );
  const id = /\/(\d+)(\/|$)/.exec(path)?.[1];
  const Screen = screens[id ? path.replace(id, '#') : path] ?? NotFound;
  return (
    <Frame>
      <Suspense fallback={<Loading />}>
        <Screen id={Number(id ?? 0)} key={path} />
      </Suspense>
    </Frame>
  );
}

const Loading = () => (
  <Center role="status" aria-label={t('Loading')} p="xl">
    <Loader size="sm" />
  </Center>
);

function Redirect({ to }: { to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to]);
  return <Loading />;
}

/** A stranger's first screen is the sign-up; who followed a link signs in and gets there. */
function ToSignIn() {
  const { pathname, search } = currentLocation();
  const isHome = pathname === '/caddy/';
  return (
    <Redirect
      to={
        isHome ? '/caddy/welcome' : `/caddy/sign-in?next=${encodeURIComponent(pathname + search)}`
      }
    />
  );
}

function NotFound() {
  useTitle(t('Page not found'));
  return (
    <EmptyState title={t('Page not found')} action={<a href="/caddy/">{t('Go home')}</a>}>
      {t('There’s nothing at this address.')}
    </EmptyState>
  );
}
