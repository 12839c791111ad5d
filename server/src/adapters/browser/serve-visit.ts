import type { PageDecision, PageRequest, VisitedPage } from '../../gateways/browser.ts';
import type { PublicInternet } from '../../platform/http-client/public-connector.ts';
import { startGuardedProxy } from './guarded-proxy.ts';
import { launchBrowser } from './launch-browser.ts';
import { openPage, type VisitOrder } from './open-page.ts';

/** To the process: first what to do, then what it asked for. */
export type ToVisit =
  | { order: VisitOrder }
  | { id: number; decision: Exclude<PageDecision, { kind: 'answer' }> | SentAnswer };
type SentAnswer = Omit<Extract<PageDecision, { kind: 'answer' }>, 'body'> & { base64: string };
/** From the process. `browser`: the process group to end when the time is over. */
export type FromVisit =
  | { browser: number }
  | { id: number; request: PageRequest }
  | { visited: VisitedPage };

/**
 * Does the one visit that the parent process orders, and ends.
 * @param internet what counts as public; tests have their own
 */
export function serveVisit(internet: PublicInternet): void {
  const tell = (message: FromVisit): boolean | undefined => process.send?.(message);
  const asked = new Map<number, (decision: PageDecision) => void>();
  // Without a parent no one hears the result; the browser ends with its pipe.
  process.once('disconnect', () => process.exit(1));
  process.on('message', (message: ToVisit) => {
    if ('order' in message)
      void run(message.order).then(
        (visited) => process.send?.({ visited } satisfies FromVisit, () => process.exit(0)),
        () => process.exit(1),
      );
    else asked.get(message.id)?.(received(message.decision));
  });

  const decide = (request: PageRequest): Promise<PageDecision> =>
    new Promise((resolve) => {
      const id = asked.size + 1;
      asked.set(id, resolve);
      tell({ id, request });
    });

  async function run(order: VisitOrder): Promise<VisitedPage> {
    const proxy = await startGuardedProxy(internet, order.ownHost);
    const browser = launchBrowser(order.browser, order.folder, proxy.port);
    tell({ browser: browser.group });
    try {
      if (!(await browser.hasStarted)) return { ok: false, why: 'not_started' };
      return await Promise.race([openPage(browser, order, decide), browser.ended]);
    } finally {
      browser.kill();
      proxy.close();
    }
  }
}

const received = (decision: Extract<ToVisit, { id: number }>['decision']): PageDecision =>
  'base64' in decision ? { ...decision, body: Buffer.from(decision.base64, 'base64') } : decision;
