// Makes Caddy installable and lets it open without a network. Built files never change under their name and come from the cache;
// the page itself comes from the network, or from the cache when there is none. The API is never cached.
const CACHE = 'caddy-1';
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names.filter((n) => n.startsWith('caddy-') && n !== CACHE).map((n) => caches.delete(n)),
        ),
      )
      .then(() => self.clients.claim()),
  ),
);
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (url.pathname.startsWith('/caddy/assets/')) {
    event.respondWith(
      caches.open(CACHE).then(async (cache) => {
        const kept = await cache.match(request);
        if (kept) return kept;
        const fresh = await fetch(request);
        if (fresh.ok) await cache.put(request, fresh.clone());
        return fresh;
      }),
    );
  } else if (request.mode === 'navigate' || url.pathname === '/first-paint.js') {
    // Every screen is the same page.
    const key = request.mode === 'navigate' ? '/caddy/' : url.pathname;
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
