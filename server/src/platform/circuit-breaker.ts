/** Keeps us from asking a stranger who is away again and again: closed → open → half-open → closed. One for each stranger and process. */

/**
 * What an outcome says about whoever was asked: they are there (whatever they said), away, with the
 * seconds they want to be left alone, or nothing (`unknown`: we gave the request up ourselves).
 */
export type Availability = 'there' | 'unknown' | { away: true; retryAfterSeconds: number | null };

/** Nothing was asked: the stranger rests. `code` tells it from every error of a request. */
export class CircuitOpenError extends Error {
  readonly code = 'RESTING';
  constructor(
    readonly target: string,
    readonly until: Date,
  ) {
    super(`${target} isn’t responding; requests are paused until ${until.toISOString()}.`);
  }
}

/** Failures in a row that open it. */
const failureThreshold = 5;
/** The first pause, doubled after each try that failed, up to the longest. */
const firstPauseMs = 15_000;
const maxPauseMs = 120_000;
/** Longer than this nobody is believed to be away without a look. */
const maxRetryAfterMs = 300_000;

export class CircuitBreaker {
  #failures = 0;
  #pauseMs = firstPauseMs;
  #restsUntilMs: number | null = null;
  /** Half-open: one request is on its way to see whether somebody is there again. */
  #trying = false;

  constructor(
    private readonly target: string,
    private readonly now: () => Date,
    private readonly onStateChange: (
      state: 'open' | 'closed',
      detail: { until?: Date; because?: string },
    ) => void = () => undefined,
  ) {}

  get state(): 'closed' | 'open' | 'half-open' {
    if (this.#restsUntilMs === null) return 'closed';
    return this.#trying || this.now().getTime() >= this.#restsUntilMs ? 'half-open' : 'open';
  }

  /** Ask, unless they rest. An error of `ask` means that they are away. Throws `Resting` when nothing was asked. */
  async run<T>(request: () => Promise<T>, classify: (answer: T) => Availability): Promise<T> {
    const until = this.#restsUntilMs;
    const isProbe = until !== null;
    if (isProbe) {
      // While one looks, the others go on waiting.
      if (this.#trying || this.now().getTime() < until)
        throw new CircuitOpenError(this.target, new Date(until));
      this.#trying = true;
    }
    try {
      const answer = await request();
      const availability = classify(answer);
      if (availability === 'there') this.#there(isProbe);
      else if (availability !== 'unknown')
        this.#away(isProbe, availability.retryAfterSeconds, 'it said so');
      return answer;
    } catch (error) {
      this.#away(isProbe, null, String(error));
      throw error;
    } finally {
      if (isProbe) this.#trying = false;
    }
  }

  /** An answer to what was asked before they rested says nothing about now: only the one who looks may end the rest. */
  #there(isProbe: boolean): void {
    this.#failures = 0;
    if (!isProbe) return;
    this.#restsUntilMs = null;
    this.#pauseMs = firstPauseMs;
    this.onStateChange('closed', {});
  }

  #away(isProbe: boolean, retryAfterSeconds: number | null, reason: string): void {
    this.#failures++;
    const requestedMs =
      retryAfterSeconds === null
        ? null
        : Math.min(maxRetryAfterMs, Math.max(1000, retryAfterSeconds * 1000));
    if (
      !isProbe &&
      (this.#restsUntilMs !== null || (requestedMs === null && this.#failures < failureThreshold))
    )
      return;
    if (isProbe) this.#pauseMs = Math.min(maxPauseMs, this.#pauseMs * 2);
    this.#restsUntilMs = this.now().getTime() + (requestedMs ?? this.#pauseMs);
    this.onStateChange('open', {
      until: new Date(this.#restsUntilMs),
      because: reason.slice(0, 200),
    });
  }
}

/** `Retry-After` as seconds from now: a number, or an HTTP date (RFC 9110 §10.2.3). Null when it says nothing. */
export function retryAfterSeconds(header: unknown, now: Date): number | null {
  const text = String(Array.isArray(header) ? header[0] : (header ?? '')).trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, (at - now.getTime()) / 1000);
}
