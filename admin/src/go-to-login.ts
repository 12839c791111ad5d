import { currentLocation, navigate } from '#ui';

/** Opens the sign-in screen of the main app, which returns here. */
export function goToLogin(): void {
  const { pathname, search } = currentLocation();
  navigate(`/login?next=${encodeURIComponent(pathname + search)}`);
}
