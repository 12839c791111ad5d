/** Keeps us from asking a stranger who is away again and again: closed → open → half-open → closed. One for each stranger and process. */

/** What an answer says about whoever gave it: they are there (whatever they said), or away, with the seconds they want to be left alone. */
export type Verdict = 'there' | { away: true; retryAfterSeconds: number | null };

/** Nothing was asked: the stranger rests. `code` tells it from every error of a request. */
export class Resting extends Error {
  readonly code = 'RESTING';
  constructor(
    readonly whom: string,
    readonly until: Date,
  ) {
    super(`${whom} does not answer and is left alone until ${until.toISOString()}.`);
  }
}

/** Failures in a row that open it. */
const failuresToOpen = 5;
/** The first pause, doubled after each try that failed, up to the longest. */
const firstPauseMs = 15_000;
const longestPauseMs = 120_000;
/** Longer than this nobody is believed to be away without a look. */
const longestRetryAfterMs = 300_000;

export class Breaker {
  #failures = 0;
  #pauseMs = firstPauseMs;
  #restsUntilMs: number | null = null;
  /** Half-open: one request is on its way to see whether somebody is there again. */
  #trying = false;

  constructor(
    private readonly whom: string,
    private readonly now: () => Date,
    private readonly changed: (
      state: 'open' | 'closed',
      detail: { until?: Date; because?: string },
    ) => void = () => undefined,
  ) {}

  get state(): 'closed' | 'open' | 'half-open' {
    if (this.#restsUntilMs === null) return 'closed';
    return this.#trying || this.now().getTime() >= this.#restsUntilMs ? 'half-open' : 'open';
  }

  /** Ask, unless they rest. An error of `ask` means that they are away. Throws `Resting` when nothing was asked. */
  async run<T>(ask: () => Promise<T>, verdict: (answer: T) => Verdict): Promise<T> {
    const until = this.#restsUntilMs;
    const tries = until !== null;
    if (tries) {
      // While one looks, the others go on waiting.
      if (this.#trying || this.now().getTime() < until)
        throw new Resting(this.whom, new Date(until));
      this.#trying = true;
    }
    try {
      const answer = await ask();
      const said = verdict(answer);
      if (said === 'there') this.#there(tries);
      else this.#away(tries, said.retryAfterSeconds, 'it said so');
      return answer;
    } catch (error) {
      this.#away(tries, null, String(error));
      throw error;
    } finally {
      if (tries) this.#trying = false;
    }
  }

  /** An answer to what was asked before they rested says nothing about now: only the one who looks may end the rest. */
  #there(looked: boolean): void {
    this.#failures = 0;
    if (!looked) return;
    this.#restsUntilMs = null;
    this.#pauseMs = firstPauseMs;
    this.changed('closed', {});
  }

  #away(looked: boolean, retryAfterSeconds: number | null, because: string): void {
    this.#failures++;
    const asked =
      retryAfterSeconds === null
        ? null
        : Math.min(longestRetryAfterMs, Math.max(1000, retryAfterSeconds * 1000));
    if (
      !looked &&
      (this.#restsUntilMs !== null || (asked === null && this.#failures < failuresToOpen))
    )
      return;
    if (looked) this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2);
    this.#restsUntilMs = this.now().getTime() + (asked ?? this.#pauseMs);
    this.changed('open', { until: new Date(this.#restsUntilMs), because: because.slice(0, 200) });
  }
}

/** `Retry-After` as seconds from now: a number, or an HTTP date (RFC 9110 §10.2.3). Null when it says nothing. */
export function retryAfterSeconds(header: unknown, now: Date): number | null {
  const text = String(Array.isArray(header) ? header[0] : (header ?? '')).trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, (at - now.getTime()) / 1000);
}
