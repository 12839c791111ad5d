import type { FailedRequest, PageDecision, PageRequest } from '../../gateways/browser.ts';
import type { DevToolsEvent } from './devtools.ts';

const MOST_LISTED = 50;
const MOST_ERRORS = 5;
const MOST_CHARS = 200;

/** What happens in the page while it is open. */
export class PageRecord {
  mainFrame = '';
  /** The main frame shows an error of the browser. */
  isLost = false;
  /** Of the document that the main frame shows; null: none of the web. */
  page: { url: string; status: number } | null = null;
  /** Epoch ms; null: not yet. */
  loadedAt: number | null = null;
  readonly failed: FailedRequest[] = [];
  readonly errors = new Set<string>();
  private readonly urls = new Map<string, string>();
  private status = 0;
  private hasOpened = (): void => {};
  private readonly opened = new Promise<void>((resolve) => {
    this.hasOpened = resolve;
  });

  constructor(
    private readonly send: (
      method: string,
      params?: Record<string, unknown>,
    ) => Promise<Record<string, unknown>>,
    private readonly decide: (request: PageRequest) => Promise<PageDecision>,
  ) {}

  take({ method, params }: DevToolsEvent): void {
    switch (method) {
      case 'Fetch.requestPaused':
        void this.answer(params as unknown as PausedRequest).catch(() => {});
        break;
      // Nobody is there to read it.
      case 'Page.javascriptDialogOpening':
        void this.send('Page.handleJavaScriptDialog', { accept: false }).catch(() => {});
        break;
      case 'Page.loadEventFired':
        this.loadedAt = Date.now();
        break;
      case 'Page.frameNavigated':
        this.navigated(params['frame'] as Frame);
        break;
      case 'Runtime.exceptionThrown':
        this.threw(params['exceptionDetails'] as ExceptionDetails);
        break;
      default:
        this.takeRequest(method, params as unknown as RequestEvent);
    }
  }

  private takeRequest(method: string, event: RequestEvent): void {
    const { requestId, request, response, entry } = event;
    if (method === 'Network.requestWillBeSent' && request) this.urls.set(requestId, request.url);
    else if (method === 'Network.responseReceived' && response) {
      if (event.type === 'Document' && event.frameId === this.mainFrame)
        this.status = response.status;
      if (response.status >= 400) this.fail(response.url, 'status');
    } else if (method === 'Network.loadingFailed')
      this.fail(
        this.urls.get(requestId) ?? '',
        event.blockedReason === 'csp' ? 'policy' : 'network',
      );
    else if (method === 'Log.entryAdded' && entry) this.logged(entry.text);
  }

  /** Of hashes, and of calls that a policy refuses, only the browser's log tells. */
  private logged(text: string): void {
    const [url = ''] = /https?:\/\/[^\s'"]+/.exec(text) ?? [];
    if (/content security policy/i.test(text)) this.fail(url, 'policy');
    else if (/'integrity'/.test(text)) this.fail(url, 'integrity');
  }

  private fail(url: string, why: FailedRequest['why']): void {
    if (url && this.failed.length < MOST_LISTED) this.failed.push({ url, why });
  }

  private navigated({ id, parentId, url, unreachableUrl }: Frame): void {
    if (parentId !== undefined || id !== this.mainFrame) return;
    this.loadedAt = null;
    this.isLost = unreachableUrl !== undefined;
    this.page = this.isLost ? null : { url, status: this.status };
    if (/^https?:/.test(url)) this.hasOpened();
  }

  private threw({ text, exception }: ExceptionDetails): void {
    const [line = ''] = (exception?.description ?? text).split('\n');
    if (this.errors.size < MOST_ERRORS) this.errors.add(line.slice(0, MOST_CHARS));
  }

  /** Asks about a request that one of the patterns stopped. */
  private async answer({ requestId, request, frameId }: PausedRequest): Promise<void> {
    // A busy browser tells of the first requests before it tells of the page that sent them.
    if (frameId === this.mainFrame) await this.opened;
    const origin = URL.canParse(this.page?.url ?? '') ? new URL(this.page?.url ?? '').origin : '';
    // Frames within the page aren't what is looked at.
    const decision: PageDecision =
      frameId === this.mainFrame && origin
        ? await this.decide({
            url: request.url,
            method: request.method,
            headers: request.headers,
            body: request.postData ?? null,
            origin,
          })
        : { kind: 'block' };
    if (decision.kind === 'block')
      await this.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    else if (decision.kind === 'send')
      await this.send('Fetch.continueRequest', {
        requestId,
        ...(decision.body !== null && { postData: Buffer.from(decision.body).toString('base64') }),
      });
    else
      await this.send('Fetch.fulfillRequest', {
        requestId,
        responseCode: decision.status,
        responseHeaders: Object.entries(decision.headers).map(([name, value]) => ({ name, value })),
        body: decision.body.toString('base64'),
      });
  }
}

interface PausedRequest {
  requestId: string;
  frameId: string;
  request: {
    url: string;
    method: string;
    headers: Record<string, string>;
    postData?: string;
  };
}
interface Frame {
  id: string;
  parentId?: string;
  url: string;
  /** Set where the browser shows an error of its own. */
  unreachableUrl?: string;
}
interface ExceptionDetails {
  text: string;
  exception?: { description?: string };
}
interface RequestEvent {
  requestId: string;
  frameId?: string;
  type?: string;
  blockedReason?: string;
  request?: { url: string };
  response?: { url: string; status: number };
  entry?: { text: string };
}
