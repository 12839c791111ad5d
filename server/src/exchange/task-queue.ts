/** `signal` is aborted when the task has to end early. */
export type Task = (signal: AbortSignal) => Promise<void>;

/**
 * What a leg does one after the other. Cancelling interrupts the current task and all that wait; each
 * still reports its end.
 */
export class TaskQueue {
  #last: Promise<unknown> = Promise.resolve();
  #abort = new AbortController();
  /** Tasks running or waiting. */
  length = 0;

  add(task: Task): void {
    const signal = this.#abort.signal;
    this.length++;
    this.#last = this.#last.then(() => task(signal)).finally(() => this.length--);
    this.#last = this.#last.catch(() => undefined);
  }

  cancelAll(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
  }
}
