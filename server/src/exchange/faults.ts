/**
 * What goes wrong on purpose between the exchange and the product. Only the simulated carrier
 * installs some: by default nothing does.
 */
export interface ExchangeFaults {
  /** Delay of events; milliseconds. */
  lateReceiptsMs: number;
  /** Shares, from 0 to 1, of events that are sent twice or overtaken by the next one. */
  duplicateRate: number;
  reorderRate: number;
  /** Shares of commands that fail without effect, or whose connection drops after it. */
  errorRate: number;
  dropAfterEffectRate: number;
  /** Nothing gets through in either direction. */
  outage: boolean;
}

export const noFaults: ExchangeFaults = {
  lateReceiptsMs: 0,
  duplicateRate: 0,
  reorderRate: 0,
  errorRate: 0,
  dropAfterEffectRate: 0,
  outage: false,
};

/** True at random with this probability. */
export const happens = (rate: number): boolean => rate > 0 && Math.random() < rate;
