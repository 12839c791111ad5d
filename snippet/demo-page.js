/* The pages of the demo's website: a new visitor arrives, and a simulated phone calls what they see. */
(() => {
  const { to } = document.currentScript.dataset;
  const HANG_UP_MS = 30_000;

  /** The script keeps visitors in these; the next page is then of someone new. */
  function forget() {
    for (const name of ['_dni_v', '_dni_s']) document.cookie = `${name}=; path=/; max-age=0`;
    for (const store of [localStorage, sessionStorage]) store.removeItem('_dni');
  }
  if (to) {
    forget();
    location.replace(to);
    return;
  }

  const at = (id) => document.getElementById(id);
  const say = (text) => {
    at('status').textContent = text;
  };
  const post = async (path, body) => {
    const answer = await fetch(`/sandbox/calls${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const read = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(read.message || 'The simulated phone network isn’t answering.');
    return read.data;
  };
  const shown = () => at('number').getAttribute('href').replace('tel:', '');

  let call = null;
  async function hangUp() {
    const { id, timer } = call;
    call = null;
    clearTimeout(timer);
    at('hang-up').hidden = true;
    at('call').disabled = false;
    say('The call is over. Its record says where you came from.');
    await post(`/${id}/hangup`, {}).catch(() => {});
  }
  async function ring() {
    at('call').disabled = true;
    // Numbers that are nobody's: 555-0100 to 555-0199.
    const from = `+1212555${String(100 + Math.floor(Math.random() * 100)).padStart(4, '0')}`;
    try {
      const { id } = await post('', { from, to: shown() });
      call = { id, timer: setTimeout(() => void hangUp(), HANG_UP_MS) };
      at('hang-up').hidden = false;
      say(`Calling ${at('number').textContent} from a simulated phone.`);
    } catch (error) {
      at('call').disabled = false;
      say(error.message);
    }
  }
  at('call').addEventListener('click', () => void ring());
  at('hang-up').addEventListener('click', () => void hangUp());

  /** When the script knows the visitor's number; the page's own if it never does. */
  let isReady = false;
  const ready = () => {
    if (isReady) return;
    isReady = true;
    at('seen').textContent = at('number').textContent;
    at('handset').href = `/handset?with=${encodeURIComponent(shown())}`;
    at('call').disabled = false;
  };
  new MutationObserver(() => setTimeout(ready, 100)).observe(at('number'), {
    attributes: true,
    attributeFilter: ['href'],
  });
  setTimeout(ready, 4000);
})();
