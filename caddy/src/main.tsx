import { interceptDownloads, mountApp, navigate, onLogout, onSessionExpired, session } from '#ui';
import { Caddy } from './Caddy.tsx';
import { resumeDateLocale } from './date-locale.ts';
import { followAccount } from './live.ts';
import { resumePushes } from './pushes.ts';
import { startRouter } from './router.ts';
import { cache, forgetSession, renew, resumeSession } from './session.ts';
import { caddyTheme } from './theme.ts';

startRouter();
onSessionExpired(renew);
onLogout(forgetSession, () => navigate('/caddy/sign-in', { replace: true }));
resumeDateLocale();
resumeSession();
followAccount();
interceptDownloads();
if (session.get().isOwnAccount) void resumePushes();
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  window.addEventListener(
    'load',
    () => void navigator.serviceWorker.register('/caddy/sw.js').catch(() => {}),
  );
mountApp(<Caddy />, { product: 'Caddy', cache, theme: caddyTheme });
