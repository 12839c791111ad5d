import { interceptLinks, setNavigator } from '#ui';

/** Navigation over the browser's history; the few screens need no more of a router. */
const listeners = new Set<() => void>();
const blocks = new Set<() => Promise<boolean>>();
const isOurs = (pathname: string): boolean => pathname.startsWith('/caddy/');

async function go(to: string, how: 'pushState' | 'replaceState'): Promise<void> {
  const { pathname } = new URL(to, window.location.href);
  if (!isOurs(pathname)) return window.location.assign(to);
  if (pathname !== window.location.pathname)
    for (const ask of blocks) if (!(await ask())) return undefined;
  history[how](null, '', to);
  if (how === 'pushState') window.scrollTo(0, 0);
  for (const listener of listeners) listener();
  return undefined;
}

/** Makes links and `navigate` of the kit change the screen without a page load. */
export function startRouter(): void {
  setNavigator({
    push: (to) => void go(to, 'pushState'),
    replace: (to) => void go(to, 'replaceState'),
    location: () => window.location,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    block: (ask) => {
      blocks.add(ask);
      return () => void blocks.delete(ask);
    },
  });
  window.addEventListener('popstate', () => {
    for (const listener of listeners) listener();
  });
  interceptLinks(isOurs, (to) => void go(to, 'pushState'));
}
