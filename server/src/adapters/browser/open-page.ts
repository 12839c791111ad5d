import { setTimeout as wait } from 'node:timers/promises';
import type { PageDecision, PageRequest, VisitedPage } from '../../gateways/browser.ts';
import type { Browser } from './launch-browser.ts';
import { PageRecord } from './page-record.ts';

/** What the process is to do. */
export interface VisitOrder {
  browser: { path: string; hasSandbox: boolean };
  /** An empty folder; whoever sent this removes it. */
  folder: string;
  url: string;
  ownHost: string;
  patterns: readonly string[];
  probe: string;
}
/** Until the first byte of the page. */
const NAVIGATE_MS = 10_000;
/** From then on, whatever the page does. */
const LOOK_MS = 12_000;
/** After the page has loaded: scripts that wait have begun by then. */
const QUIET_MS = 5_000;
const STEP_MS = 250;
/** An answer takes milliseconds; a page that gives none so often keeps its process busy. */
const PROBE_MS = 2_000;
const MOST_MISSED = 3;
/** What the page changes as a last thing. */
const SETTLE_MS = 500;
const MOST_HTML = 5 * 1024 * 1024;

/** Calls between browsers need no proxy; a page that is only looked at needs no calls. */
const withoutCalls = 'delete window.RTCPeerConnection; delete window.webkitRTCPeerConnection;';

/** Opens a page and looks at it until the probe is done. */
export async function openPage(
  browser: Browser,
  { url, patterns, probe }: VisitOrder,
  decide: (request: PageRequest) => Promise<PageDecision>,
): Promise<VisitedPage> {
  const { send, seen } = await emptyPage(browser, patterns, decide);
  const { errorText } = await send('Page.navigate', { url }, NAVIGATE_MS);
  if (errorText !== undefined) return { ok: false, why: 'unreachable' };
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result } = await send(
      'Runtime.evaluate',
      { expression, returnByValue: true },
      PROBE_MS,
    );
    return (result as { value?: unknown } | undefined)?.value;
  };
  const began = Date.now();
  let probed: unknown;
  let missed = 0;
  while (Date.now() - began < LOOK_MS) {
    const asked = Date.now();
    // While a page navigates, there is nothing to ask.
    probed = await evaluate(probe).catch(() => undefined);
    missed = Date.now() - asked < PROBE_MS ? 0 : missed + 1;
    if (missed === MOST_MISSED) return { ok: false, why: 'stuck' };
    if ((probed as { isDone?: boolean } | undefined)?.isDone) break;
    // It left for an address that can't be reached.
    if (seen.isLost) break;
    if (seen.loadedAt !== null && Date.now() - seen.loadedAt > QUIET_MS) break;
    await wait(STEP_MS);
  }
  await wait(SETTLE_MS);
  probed = (await evaluate(probe).catch(() => undefined)) ?? probed;
  const html = await evaluate(`document.documentElement.outerHTML.slice(0, ${MOST_HTML})`).catch(
    () => undefined,
  );
  if (seen.isLost || seen.page === null || !/^https?:/.test(seen.page.url))
    return { ok: false, why: 'unreachable' };
  if (typeof html !== 'string') return { ok: false, why: 'stuck' };
  return { ok: true, ...seen.page, html, probed, failed: seen.failed, errors: [...seen.errors] };
}

/** A page in which nothing is open yet, and what will happen in it. */
async function emptyPage(
  { devTools }: Browser,
  patterns: readonly string[],
  decide: (request: PageRequest) => Promise<PageDecision>,
) {
  const { browserContextId } = await devTools.send('Target.createBrowserContext');
  await devTools.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId });
  const { userAgent } = await devTools.send('Browser.getVersion');
  const { targetId } = await devTools.send('Target.createTarget', {
    url: 'about:blank',
    browserContextId,
  });
  const attached = await devTools.send('Target.attachToTarget', { targetId, flatten: true });
  const sessionId = String(attached['sessionId']);
  const send = (method: string, params: Record<string, unknown> = {}, ms?: number) =>
    devTools.send(method, params, sessionId, ms);
  const seen = new PageRecord(send, decide);
  devTools.on((event) => {
    if (event.sessionId === sessionId) seen.take(event);
  });
  for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await send(`${domain}.enable`);
  await send('Network.setBypassServiceWorker', { bypass: true });
  await send('Network.setUserAgentOverride', {
    userAgent: `${String(userAgent).replace('Headless', '')} Trunkline script check`,
  });
  await send('Page.addScriptToEvaluateOnNewDocument', { source: withoutCalls });
  await send('Fetch.enable', { patterns: patterns.map((urlPattern) => ({ urlPattern })) });
  const { frameTree } = await send('Page.getFrameTree');
  seen.mainFrame = (frameTree as { frame: { id: string } }).frame.id;
  return { send, seen };
}
