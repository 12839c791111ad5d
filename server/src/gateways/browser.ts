/** A request of an opened page that its opener decides about. */
export interface PageRequest {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  /** What it sends; null: nothing, or what can't be shown. */
  body: string | null;
  /** Of the page that asks, as browsers write it. */
  origin: string;
}
/**
 * `send`: over the network like any other, with this body; `answer`: the page gets this, and nothing
 * leaves.
 */
export type PageDecision =
  | { kind: 'block' }
  | { kind: 'send'; body: string | null }
  | {
      kind: 'answer';
      status: number;
      headers: Readonly<Record<string, string>>;
      body: Buffer;
    };

export interface PageVisit {
  /** For whom: each has one page in the browser at a time. */
  owner: string;
  /** Host that isn't reached over the network, though it may be public: our own. */
  ownHost: string;
  /** Addresses of requests that `decide` is asked about; `*` stands for any text. */
  patterns: readonly string[];
  decide(request: PageRequest): Promise<PageDecision>;
  /**
   * A JavaScript expression that is evaluated in the page again and again. The visit ends when the
   * value's `isDone` is true, or when nothing happens any more.
   */
  probe: string;
}

/** A request of the page that got no answer it could use. */
export interface FailedRequest {
  url: string;
  why: 'policy' | 'integrity' | 'status' | 'network';
}
/** `html`: the page as its scripts left it, at most 5 MB. `probed`: the last value of the probe. */
export type VisitedPage =
  | {
      ok: true;
      url: string;
      status: number;
      html: string;
      probed: unknown;
      failed: FailedRequest[];
      /** Uncaught errors of the page's scripts, each once. */
      errors: string[];
    }
  | { ok: false; why: 'not_started' | 'busy' | 'unreachable' | 'stuck' };

/** Opens public pages of third parties in a browser, with limits. */
export interface BrowserGateway {
  /**
   * Opens a page and looks at it for at most 25 seconds. Never throws.
   * `not_started`: the browser doesn't. `busy`: its owner has a page open, or others wait already. `stuck`: the page kept the browser busy, or needed too much memory.
   */
  visit(url: string, visit: PageVisit): Promise<VisitedPage>;
}
