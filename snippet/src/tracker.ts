import { call, sendAtEnd, type Opened } from './calls.ts';
import { readCookies } from './cookies.ts';
import { digitsOf, finderOf, suspectOf, type Swap } from './numbers.ts';
import { changeCount, look } from './page.ts';
import { forgetVisit, keepVisit, readVisit, type Kept } from './visit.ts';
import { version } from './version.ts';
import { onChange, quietly, swapAll, swapPage, watch } from './watch.ts';
import { safely, whenChangeable } from './when-ready.ts';

/** After so long a page keeps the numbers it shows: a late change would be seen. */
const TOO_LATE_MS = 1500;

/** Of `extras.js` as it was when this was built: pages that pin this script pin both. */
declare const EXTRAS_INTEGRITY: string;

type Ready = (swaps: Swap[]) => void;

// One company's script on one page: a page has one, so what it knows lies here.
let api = '';
let key = '';
let kept: Kept = {};
let consent: boolean | undefined;
let swaps: Swap[] = [];
/** Every number that stood on this page, the page's own and ours, each once. */
const shown: Record<string, Swap> = {};
const waitingEvents: object[] = [];
const waitingReady: Ready[] = [];
let isReady = false;
/** What waits until the page can be changed; null: it can. */
let changes: (() => void)[] | null = [];
let beats: ReturnType<typeof setInterval> | undefined;
let heardAt = 0;
let beatSeconds = 0;
let address = location.href;
let landing = { url: address, referrer: document.referrer };
/** Pages that were seen and that no visit has yet. */
let views: { url: string; title: string }[] = [];
let opening = 0;
let asking = Promise.resolve();
let moved: ReturnType<typeof setTimeout> | undefined;
let answered: Opened | null = null;
/** What few pages need; loaded when it is added to the page, and only once. */
const extras = document.createElement('script');

const post = <T>(what: string, body: object): Promise<T | null> =>
  call<T>(api + what, { sessionId: kept.sessionId, ...body });

/** Shows these numbers, now and in whatever the page shows later. */
function show(next: Swap[]): void {
  swaps = next;
  whenShown(() => {
    swaps.forEach((one) => {
      shown[one.target] = one;
      shown[one.number] = { ...one, target: one.number };
    });
    look(finderOf(swaps), suspectOf(Object.values(shown)));
    watch(document);
    swapPage();
  });
}

function whenShown(run: () => void): void {
  if (changes) changes.push(run);
  else safely(run);
}

function ready(): void {
  isReady = true;
  waitingReady.splice(0).forEach((tell) => safely(() => tell(swaps)));
}

/** Tells the visitor's numbers once they are known; none, when there are none. */
export function onReady(tell: Ready): void {
  if (isReady) safely(() => tell(swaps));
  else waitingReady.push(tell);
}

/** Asks which numbers this page shows; later answers to earlier questions don't count. */
async function open(targets: string[] = []): Promise<void> {
  const turn = (opening += 1);
  const began = Date.now();
  // Before the visitor agreed nothing was sent: then the page they came to still counts.
  if (moved && kept.sessionId) landing = { url: address, referrer: landing.url };
  const answer = await post<Opened>('session', {
    companyKey: key,
    visitorId: kept.visitorId,
    ...landing,
    cookies: readCookies(kept.cookies ?? []),
    // What it shows already goes on, also where the pool replaces whatever a page asks for.
    targets: targets.concat(swaps.map((one) => one.target)),
    consent,
    version,
    page: performance.timeOrigin,
  });
  if (turn !== opening) return;
  safely(() => {
    if (answer) take(answer, Date.now() - began > TOO_LATE_MS && !isReady);
    ready();
  });
}

/** This page is seen. It is asked about after the answer before, which says whose visit this is. */
function openPage(): void {
  if (views.length < 20) views.push({ url: address, title: document.title });
  asking = asking.then(() => open());
}

function take(answer: Opened, isTooLate: boolean): void {
  const { visitorId, sessionId, heartbeat } = answer;
  const { cookies } = answer.capture;
  answered = answer;
  if (!isTooLate) show(answer.swaps);
  if (answer.extras) whenShown(() => document.head.append(extras));
  clearInterval(beats);
  beatSeconds = heartbeat;
  // Nothing is stored of this page; a visit that was open before may go on at the next.
  if (!sessionId) views = [];
  if (!sessionId) return void (kept.swaps = []);
  const until = Math.min(...answer.swaps.map((one) => Date.parse(one.expiresAt ?? '')));
  kept = { visitorId, sessionId, cookies, swaps: answer.swaps, until };
  if (consent !== undefined) kept.consent = consent;
  heardAt = Date.now();
  keepVisit(key, kept);
  if (heartbeat) beats = setInterval(beat, heartbeat * 1000);
  whenShown(async () => {
    for (const { url, title } of views.splice(0))
      await post('pageview', {
        url,
        title: (url === address ? document.title : title).slice(0, 300),
        cookies: readCookies(cookies),
        swapped: changeCount(),
      });
  });
  waitingEvents.splice(0).forEach((one) => void post('event', one));
}

/** The page is still looked at. A visit that ended meanwhile begins anew. */
async function beat(): Promise<void> {
  if (document.hidden || !kept.sessionId) return;
  followAddress();
  const answer = await post<{ isLive: boolean }>('heartbeat', { url: address });
  if (!answer) return;
  heardAt = Date.now();
  if (!answer.isLive) openPage();
  else keepVisit(key, kept);
}

/** A page that changes its address without loading is another page of the visit. */
export function followAddress(): void {
  if (location.href === address) return;
  address = location.href;
  // The title follows the address, and another may follow at once.
  clearTimeout(moved);
  moved = setTimeout(openPage, 200);
}

/**
 * Begins: numbers known from the page before at once, others when the server answered.
 * @param base where our server is
 * @param nonce of our own tag, where the page's policy asks for one
 */
export function start(base: string, companyKey: string, nonce: string): void {
  api = `${base}/api/dni/v1/`;
  key = companyKey;
  Object.assign(extras, {
    nonce,
    crossOrigin: '',
    integrity: EXTRAS_INTEGRITY,
    src: `${base}/t/${key}/${version}/extras.js`,
  });
  // The server reads who came by a link of another website; the page and its referrers never do.
  const clean = address.replace(/([?&])_dni=[^&#]*(&?)/, (_, before, after) => after && before);
  if (clean !== address) {
    history.replaceState(history.state, '', clean);
    address = clean;
  }
  onChange(followAddress);
  // A test is of a visitor who comes for the first time.
  if (!/[?&]dni_test=/.test(address)) kept = readVisit(key);
  consent ??= kept.consent;
  if (kept.swaps?.length && (kept.until ?? 0) > Date.now() && consent !== false) show(kept.swaps);
  openPage();
  whenChangeable(() => {
    const waiting = changes ?? [];
    changes = null;
    waiting.forEach(safely);
  });
}

/** Looked at again: a number that nobody heard of for too long may be another's. */
export function resume(): void {
  if (beatSeconds && Date.now() - heardAt > beatSeconds * 1000) void beat();
}

/** Left or hidden: the last moment that the number was the visitor's. */
export function leave(): void {
  if (kept.sessionId && beatSeconds && Date.now() - heardAt > 2000) {
    heardAt = Date.now();
    sendAtEnd(`${api}heartbeat`, { sessionId: kept.sessionId, url: address });
  }
}

/** What the visitor decided; `isOwn`: said to us, so that it is kept. */
export function agree(given: boolean, isOwn?: boolean): void {
  if (consent === given) return;
  consent = given;
  if (!given) {
    if (isOwn) forgetVisit(key);
    kept = {};
    clearInterval(beats);
  }
  if (!opening) return;
  // What was asked before they decided doesn't count.
  opening += 1;
  views = [];
  openPage();
}

/** Swaps in an element, those of a selector, or the whole page. */
export function swap(root?: Element | string): void {
  const all = typeof root === 'string' ? document.querySelectorAll(root) : [root];
  quietly(() => all.forEach((one) => swapAll(one ?? document.documentElement)));
}

/** Tells the visitor's numbers instead of these; all that the page has for none. */
export function getNumbers(targets: string[], tell: Ready): void {
  const known = (): Swap[] =>
    swaps.filter(
      ({ target }) =>
        !targets[0] || targets.some((one) => target.endsWith(digitsOf(one).slice(-10))),
    );
  onReady(() => {
    if (targets[0] && !known()[0] && kept.sessionId) void open(targets).then(() => tell(known()));
    else tell(known());
  });
}

/** The visit as this page knows it. */
export const session = () => ({ visitorId: kept.visitorId, sessionId: kept.sessionId, swaps });

/** Something happened on the page. Before the visit is open, it waits. */
export function event(name: string, data: object = {}): void {
  const happened = { name, url: address, data };
  if (kept.sessionId) void post('event', happened);
  else if (consent !== false && waitingEvents.length < 20) waitingEvents.push(happened);
}

/** For whoever looks for a mistake. */
export const debug = () => ({ version, key, consent, swapped: changeCount(), answered });
