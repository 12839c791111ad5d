import { createRoot } from 'react-dom/client';
import { RouterProvider } from '@tanstack/react-router';
import { Face, fetchLazyParts, onLogout } from '#ui';
import { cache } from './app/cache.ts';
import { forget, toLogin } from './app/leave.ts';
import { firstScreenReady } from './app/first-screen.ts';
import { catchLinks, router } from './app/router.tsx';

onLogout(forget, toLogin);
catchLinks();
void firstScreenReady.then(fetchLazyParts);
createRoot(document.getElementById('root')!).render(
  <Face cache={cache}>
    <RouterProvider router={router} />
  </Face>,
);

if (import.meta.env.PROD && 'serviceWorker' in navigator)
  window.addEventListener(
    'load',
    () => void navigator.serviceWorker.register('/sw.js').catch(() => {}),
  );
