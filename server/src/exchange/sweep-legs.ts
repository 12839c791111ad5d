import type { LegEndCause } from '../gateways/voice.ts';
import type { Leg } from './leg.ts';

/** What the sweep asks of the exchange. */
interface LegOwner {
  isInUse(leg: Leg): boolean;
  end(leg: Leg, cause: LegEndCause, because: string): void;
  log(message: string, detail: object): void;
}

/**
 * An answered leg that hears nothing and is joined to no one is hung up after this. Milliseconds.
 */
const maxIdleMs = 60_000;

/** Ends legs that rang too long, and answered legs that the product has forgotten. */
export function sweepLegs(exchange: LegOwner, live: ReadonlySet<Leg>, nowMs: number): void {
  // The leg that put the other on hold hears nothing meanwhile, but is still in use.
  const held = new Set([...live].filter((leg) => leg.held).map((leg) => leg.call));
  for (const leg of live) {
    if (leg.state === 'ringing') {
      if (!leg.claimed && nowMs - leg.createdMs > leg.ringTimeoutMs)
        exchange.end(leg, 'noAnswer', 'noAnswer');
    } else if (held.has(leg.call) || exchange.isInUse(leg)) leg.lastActiveMs = nowMs;
    else if (nowMs - leg.lastActiveMs > maxIdleMs) {
      exchange.log('An abandoned leg is hung up', { leg: leg.id });
      exchange.end(leg, 'failed', 'abandoned');
    }
  }
}
