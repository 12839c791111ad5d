import type { Line, PhoneSnapshot } from './phone-types.ts';

/** A line that starts to ring or dial now. `callerName` is null when the caller is unknown. */
export const newLine = (
  call: { leg: string; from: string; to: string },
  direction: Line['direction'],
  callerName: string | null,
): Line => ({
  leg: call.leg,
  direction,
  state: direction === 'in' ? 'ringing' : 'dialling',
  from: call.from,
  to: call.to,
  callerName,
  held: false,
  startedAt: Date.now(),
  answeredAt: null,
});

/** What the phone shows; each change replaces the snapshot and calls the listeners. */
export class PhoneState {
  readonly #listeners = new Set<() => void>();
  readonly #onChange: ((snapshot: PhoneSnapshot) => void) | undefined;
  #snapshot: PhoneSnapshot;

  constructor(synthetic: boolean, onChange: ((snapshot: PhoneSnapshot) => void) | undefined) {
    this.#onChange = onChange;
    this.#snapshot = {
      connection: 'left',
      lines: [],
      muted: false,
      microphone: synthetic
        ? { kind: 'synthetic', because: 'chosen' }
        : { kind: 'device', deviceId: null },
    };
  }

  get snapshot(): PhoneSnapshot {
    return this.#snapshot;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  change(change: Partial<PhoneSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    this.#onChange?.(this.#snapshot);
    for (const listener of this.#listeners) listener();
  }

  changeLine(leg: string, change: Partial<Line>): void {
    this.change({
      lines: this.#snapshot.lines.map((line) => (line.leg === leg ? { ...line, ...change } : line)),
    });
  }
}
