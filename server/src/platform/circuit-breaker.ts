/**
 * Stops requests to a third party that is down: closed → open → half-open → closed. One per target
 * and process.
 */

/**
 * What an outcome shows about the target: it is up (whatever it answered), away, with the seconds
 * for which it asks not to be called, or nothing (`unknown`: we canceled the request).
 */
export type Availability = 'there' | 'unknown' | { away: true; retryAfterSeconds: number | null };

/** No request was sent because the circuit is open. `code` tells it from any error of a request. */
export class CircuitOpenError extends Error {
  readonly code = 'RESTING';
  constructor(
    readonly target: string,
    readonly until: Date,
  ) {
    super(`${target} isn’t responding; requests are paused until ${until.toISOString()}.`);
  }
}

/** Failures in a row that open the circuit. */
const failureThreshold = 5;
/** The first pause, doubled after each failed probe, up to the longest. */
const firstPauseMs = 15_000;
const maxPauseMs = 120_000;
/** The longest pause without a probe, even when `Retry-After` asks for more. */
const maxRetryAfterMs = 300_000;

export class CircuitBreaker {
  #failures = 0;
  #pauseMs = firstPauseMs;
  #openUntilMs: number | null = null;
  /** Half-open: one probe is on its way. */
  #isProbing = false;

  constructor(
    private readonly target: string,
    private readonly now: () => Date,
    private readonly onStateChange: (
      state: 'open' | 'closed',
      detail: { until?: Date; because?: string },
    ) => void = () => undefined,
  ) {}

  get state(): 'closed' | 'open' | 'half-open' {
    if (this.#openUntilMs === null) return 'closed';
    return this.#isProbing || this.now().getTime() >= this.#openUntilMs ? 'half-open' : 'open';
  }

  /**
   * Sends a request unless the circuit is open. An error of `request` counts as a failure of the
   * target.
   * @throws CircuitOpenError when no request was sent
   */
  async run<T>(request: () => Promise<T>, classify: (answer: T) => Availability): Promise<T> {
    const until = this.#openUntilMs;
    const isProbe = until !== null;
    if (isProbe) {
      // While a probe is on its way, other requests keep failing.
      if (this.#isProbing || this.now().getTime() < until)
        throw new CircuitOpenError(this.target, new Date(until));
      this.#isProbing = true;
    }
    try {
      const answer = await request();
      const availability = classify(answer);
      if (availability === 'there') this.#recordSuccess(isProbe);
      else if (availability !== 'unknown')
        this.#recordFailure(isProbe, availability.retryAfterSeconds, 'it said so');
      return answer;
    } catch (error) {
      this.#recordFailure(isProbe, null, String(error));
      throw error;
    } finally {
      if (isProbe) this.#isProbing = false;
    }
  }

  /**
   * A response to a request from before the circuit opened says nothing about now: only the probe
   * closes it.
   */
  #recordSuccess(isProbe: boolean): void {
    this.#failures = 0;
    if (!isProbe) return;
    this.#openUntilMs = null;
    this.#pauseMs = firstPauseMs;
    this.onStateChange('closed', {});
  }

  #recordFailure(isProbe: boolean, retryAfterSeconds: number | null, reason: string): void {
    this.#failures++;
    const requestedMs =
      retryAfterSeconds === null
        ? null
        : Math.min(maxRetryAfterMs, Math.max(1000, retryAfterSeconds * 1000));
    if (
      !isProbe &&
      (this.#openUntilMs !== null || (requestedMs === null && this.#failures < failureThreshold))
    )
      return;
    if (isProbe) this.#pauseMs = Math.min(maxPauseMs, this.#pauseMs * 2);
    this.#openUntilMs = this.now().getTime() + (requestedMs ?? this.#pauseMs);
    this.onStateChange('open', {
      until: new Date(this.#openUntilMs),
      because: reason.slice(0, 200),
    });
  }
}

/**
 * `Retry-After` as seconds from now: a number, or an HTTP date (RFC 9110 §10.2.3). Null when it is
 * missing or invalid.
 */
export function retryAfterSeconds(header: unknown, now: Date): number | null {
  const text = String(Array.isArray(header) ? header[0] : (header ?? '')).trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, (at - now.getTime()) / 1000);
}
