import { createRoot } from 'react-dom/client';
import { RouterProvider } from '@tanstack/react-router';
import { AppProvider, prefetchComponents, onLogout } from '#ui';
import { cache } from './app/query-client.ts';
import { clearClientState, goToLogin } from './app/sign-out.ts';
import { firstScreenReady } from './app/first-screen.ts';
import { interceptLinks, router } from './app/router.tsx';

onLogout(clearClientState, goToLogin);
interceptLinks();
void firstScreenReady.then(prefetchComponents);
createRoot(document.getElementById('root')!).render(
  <AppProvider cache={cache}>
    <RouterProvider router={router} />
  </AppProvider>,
);

if (import.meta.env.PROD && 'serviceWorker' in navigator)
  window.addEventListener(
    'load',
    () => void navigator.serviceWorker.register('/sw.js').catch(() => {}),
  );
