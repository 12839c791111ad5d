import { createRoot } from 'react-dom/client';
import { RouterProvider } from '@tanstack/react-router';
import { AppProvider, interceptDownloads, prefetchComponents, onLogout } from '#ui';
import { cache } from './shared/query-client.ts';
import { clearClientState, goToLogin } from './shared/sign-out.ts';
import { firstScreenReady } from './shared/first-screen.ts';
import { showRememberedStyles } from './shared/brand-styles.ts';
import { interceptAppLinks, router } from './app/router.tsx';

showRememberedStyles();
onLogout(clearClientState, goToLogin);
interceptAppLinks();
interceptDownloads();
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
