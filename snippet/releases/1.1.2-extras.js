/*
 * What few pages need besides the script, which loads this file where our server says so: links to
 * the company's other websites that carry the visitor, and the panel of a test (`?dni_test`).
 */
(() => {
  /** The server accepts a token for two minutes; one this old is replaced while the visitor is active. */
  const REPLACE_MS = 50_000;
  const LAST_MS = 110_000;
  /** At most one question to the server in this time. */
  const PAUSE_MS = 5000;
  const { origin } = new URL(document.currentScript.src);
  const { DNI } = window;

  /** What is known of links; null: this page's visitor isn't carried. */
  const linksNow = () => {
    const { links } = DNI.debug().answered ?? {};
    return links && DNI.session().sessionId ? links : null;
  };
  const first = linksNow();
  let token = first && first.token;
  let ofVisit = DNI.session().sessionId;
  let tokenAt = Date.now();
  let askedAt = 0;

  async function refresh() {
    const { sessionId } = DNI.session();
    if (!linksNow() || Date.now() - askedAt < PAUSE_MS) return;
    if (token && sessionId === ofVisit && Date.now() - tokenAt < REPLACE_MS) return;
    askedAt = Date.now();
    try {
      const answer = await fetch(`${origin}/api/dni/v1/heartbeat`, {
        method: 'POST',
        body: JSON.stringify({ sessionId, url: location.href }),
        credentials: 'include',
      });
      const { data } = await answer.json();
      if (!data.link || DNI.session().sessionId !== sessionId) return;
      token = data.link;
      ofVisit = sessionId;
      tokenAt = askedAt;
    } catch {
      // The link works without it, as a link to any other website.
    }
  }

  /** The widest domain that shares our cookies: browsers refuse public suffixes (`co.uk`). */
  function cookieDomain() {
    const labels = location.hostname.split('.');
    for (let from = labels.length - 2; from >= 0; from -= 1) {
      const domain = labels.slice(from).join('.');
      const set = (seconds) => {
        document.cookie = `_dni_t=1;path=/;samesite=lax;domain=${domain};max-age=${seconds}`;
        return document.cookie.includes('_dni_t=1');
      };
      if (set(9)) {
        set(-1);
        return domain;
      }
    }
    return location.hostname;
  }
  let ownDomain;
  const isOwn = (host) => {
    ownDomain ??= cookieDomain();
    return host === ownDomain || host.endsWith(`.${ownDomain}`);
  };

  /** As the server compares them: `www.` doesn't matter, `*.` stands for what is below. */
  function isDomain({ hostname, port }, domain) {
    const [site, sitePort = ''] = domain.split(':');
    if (sitePort && sitePort !== port) return false;
    return site.startsWith('*.')
      ? hostname.endsWith(site.slice(1))
      : hostname.replace(/^www\./, '') === site.replace(/^www\./, '');
  }

  /** The token for an address of another website of the company; null: it is none, or none is fresh. */
  function tokenFor(address) {
    const links = linksNow();
    const isFresh = token && DNI.session().sessionId === ofVisit && Date.now() - tokenAt < LAST_MS;
    if (!links || !isFresh) return null;
    const url = new URL(address, document.baseURI);
    // Not from https to http, where others could read it.
    const isSafe =
      url.protocol === 'https:' || (url.protocol === 'http:' && url.protocol === location.protocol);
    if (!isSafe || isOwn(url.hostname)) return null;
    return links.domains.some((domain) => isDomain(url, domain)) ? token : null;
  }

  /** Used once: the next link gets another. */
  const used = () => {
    token = null;
  };

  function addToLink({ target }, path) {
    const link = path.find((node) => /^(?:a|area)$/i.test(node.nodeName) && node.href);
    if (!link || typeof link.href !== 'string' || link.hasAttribute('download')) return;
    const carried = tokenFor(link.href);
    if (!carried || target.isContentEditable) return;
    const was = link.getAttribute('href');
    const [page, ...hash] = was.split('#');
    const clean = page.replace(/([?&])_dni=[^&]*(&?)/, (_, before, after) => after && before);
    const now = [`${clean}${clean.includes('?') ? '&' : '?'}_dni=${carried}`, ...hash].join('#');
    link.setAttribute('href', now);
    used();
    // After the browser read it, the page has its own link again: to copy, or to open once more.
    setTimeout(() => link.getAttribute('href') === now && link.setAttribute('href', was));
  }

  function addToForm({ target: form, submitter }) {
    const said = (name) =>
      (submitter && submitter.getAttribute(`form${name}`)) || form.getAttribute(name) || '';
    if (!/^(?:get)?$/i.test(said('method'))) return;
    const carried = tokenFor(said('action'));
    if (!carried) return;
    const field = document.createElement('input');
    Object.assign(field, { type: 'hidden', name: '_dni', value: carried });
    form.append(field);
    used();
    setTimeout(() => field.remove());
  }

  /** Runs something of ours so that an error of it reaches nobody. */
  const safely = (run) => (event) => {
    try {
      run(event);
    } catch {
      // The link or form goes on as it is.
    }
  };

  if (first) {
    const onClick = safely((event) => {
      if (event.type === 'click' || event.button === 1) addToLink(event, event.composedPath());
    });
    for (const name of ['click', 'auxclick']) addEventListener(name, onClick, true);
    addEventListener('submit', safely(addToForm), true);
    for (const name of ['pointermove', 'pointerdown', 'keydown', 'scroll', 'focus'])
      addEventListener(name, () => void refresh(), { capture: true, passive: true });
  }

  const { test } = DNI.debug().answered ?? {};
  if (test) {
    // It doesn't touch the page's own elements.
    const panel = document.createElement('div');
    panel.dataset.dniNoswap = '';
    panel.style.cssText =
      'position:fixed;z-index:99999;bottom:0;padding:9px;background:#111;color:#fff;white-space:pre';
    panel.textContent = [...test, `${DNI.debug().swapped} × swapped`].join('\n');
    document.documentElement.append(panel);
  }
})();
