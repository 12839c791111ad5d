// The service worker of the main app and of Caddy, each for what lies below its own path. Makes the app installable and lets it
// open without a network. Built files never change under their name and come from the cache; the page itself comes from the
// network, or from the cache when there is none. The API is never cached.
const HOME = new URL(self.registration.scope).pathname;
const FAMILY = HOME === '/' ? 'trunkline-' : `${HOME.replaceAll('/', '')}-`;
const CACHE = `${FAMILY}1`;
// Paths below the main app's that aren't its screens.
const isForeign = (path) =>
  HOME === '/' && /^\/(api|docs|dev|media|sandbox|admin|caddy)(\/|$)/.test(path);
const isOurs = (path) => path.startsWith(HOME) && !isForeign(path);
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names.filter((n) => n.startsWith(FAMILY) && n !== CACHE).map((n) => caches.delete(n)),
        ),
      )
      .then(() => self.clients.claim()),
  ),
);
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (url.pathname.startsWith(`${HOME}assets/`)) {
    event.respondWith(
      caches.open(CACHE).then(async (cache) => {
        const kept = await cache.match(request);
        if (kept) return kept;
        const fresh = await fetch(request);
        if (fresh.ok) await cache.put(request, fresh.clone());
        return fresh;
      }),
    );
  } else if (
    url.pathname === '/first-paint.js' ||
    (request.mode === 'navigate' && isOurs(url.pathname))
  ) {
    // Every screen is the same page.
    const key = request.mode === 'navigate' ? HOME : url.pathname;
    event.respondWith(
      fetch(request)
        .then(async (fresh) => {
          if (fresh.ok) await (await caches.open(CACHE)).put(key, fresh.clone());
          return fresh;
        })
        .catch(async () => (await caches.match(key)) ?? Response.error()),
    );
  }
});
// A push: shown unless somebody looks at the app already, which then tells it.
self.addEventListener('push', (event) =>
  event.waitUntil(
    (async () => {
      let note;
      try {
        note = event.data.json();
      } catch {
        return;
      }
      const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
      const isLookedAt = (c) => c.visibilityState === 'visible' && isOurs(new URL(c.url).pathname);
      if (open.some(isLookedAt)) return;
      await self.registration.showNotification(note.title, {
        body: note.body,
        tag: note.tag,
        icon: `${HOME}icon.svg`,
        data: { url: note.url },
        requireInteraction: note.kind === 'call',
        renotify: true,
      });
    })(),
  ),
);
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const said = event.notification.data && event.notification.data.url;
  // Only addresses of ours.
  const to = typeof said === 'string' && /^\/(?!\/)/.test(said) ? said : HOME;
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then((open) => {
      const page = open.find((c) => isOurs(new URL(c.url).pathname));
      return page ? page.navigate(to).then((c) => c && c.focus()) : self.clients.openWindow(to);
    }),
  );
});
// The browser replaced its push subscription, perhaps while no page is open. The worker has the session's cookie, but not what a
// write with it needs; so it gets a token that registers devices and nothing else. Caddy has no cookie: it registers again when
// it is opened.
self.addEventListener('pushsubscriptionchange', (event) => {
  if (HOME === '/') event.waitUntil(renewSubscription(event));
});
async function renewSubscription({ oldSubscription, newSubscription }) {
  const read = (path) =>
    fetch(path, { credentials: 'same-origin', headers: { accept: 'application/json' } });
  const asked = await read('/api/user/beam-token');
  if (!asked.ok) return; // Signed out: the server forgot this browser with the session.
  const { token } = await asked.json();
  const path = '/api/web-push/subscriptions';
  const saying = (content) => ({
    credentials: 'omit',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(content),
  });
  const current =
    newSubscription ||
    (await self.registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: (await (await read('/api/web-push/key')).json()).data.key,
    }));
  const { endpoint, keys } = current.toJSON();
  const said = { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
  await fetch(path, { method: 'POST', ...saying(said) });
  if (oldSubscription && oldSubscription.endpoint !== endpoint)
    await fetch(path, { method: 'DELETE', ...saying({ endpoint: oldSubscription.endpoint }) });
}
