/**
 * Requests and packets that no regular client sends: contract examples with hostile values, and raw
 * ones. The same seed produces the same ones.
 */
export interface Target {
  /** The product's origin. */ url: string;
  companyId: number;
  /** An access token; requested repeatedly, because the requests may end the session. */
  token(): Promise<string>;
}
export interface Outcome {
  sent: number;
  answered: number;
  statuses: Record<string, number>;
  /** Responses of 500 and above, with their requests. */ failures: string[];
  /** Requests without a response in time. */ hangs: string[];
  /** The longest response time, ms. */ slowestMs: number;
}

export const emptyOutcome = (): Outcome => ({
  sent: 0,
  answered: 0,
  statuses: {},
  failures: [],
  hangs: [],
  slowestMs: 0,
});

/** The allowed response time, ms. */
export const PATIENCE_MS = 20_000;
export const RENEW_EVERY = 250;
