import { currentLocation, navigate } from '#ui';

/** To the log-in screen of the main app, which leads back here. */
export function goToLogin(): void {
  const { pathname, search } = currentLocation();
  navigate(`/login?next=${encodeURIComponent(pathname + search)}`);
}
