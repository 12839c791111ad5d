import type { DropReason, HitKind } from '#contract/tracking/hit-rules';

/** What is known of whoever sent a request, before anything is decided. */
export interface Sender {
  /** Host and port of the website that the browser names; null: none. */
  site: string | null;
  userAgent: string;
  /** The browser asks not to be tracked. */
  asksNotToBeTracked: boolean;
  /** The whole address; `region` cuts it. */
  ip: string | null;
  /** As the proxy in front says; null: it says nothing. */
  region: string | null;
}

/** One call of a page with an open visit. Times are ours: clocks of visitors can be days off. */
export interface Hit extends Sender {
  kind: Exclude<HitKind, 'session'>;
  companyId: number;
  visitId: number;
  at: Date;
  url: string | null;
  title: string | null;
  /** Of an event. */
  name: string | null;
  data: Readonly<Record<string, string | number | boolean | null>> | null;
  /** Places of the page that show the visitor's number; null: the page doesn't say. */
  swapped: number | null;
  cookies: Readonly<Record<string, string>>;
  /** The source that the page alone would have made; null: that of the visit goes on. */
  source: { id: number; key: string } | null;
}

/**
 * What became of a hit. `expiresAt`: until when the visit's number stays; null: it has none.
 * `isCarried`: links to the company's other websites carry the visitor.
 */
export type Outcome =
  | { isKept: true; expiresAt: Date | null; isCarried: boolean }
  | { isKept: false; reason: DropReason };
