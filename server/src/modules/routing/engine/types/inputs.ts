/** What the engine is given when a call starts. */
import type { LegId } from '../../../../gateways/voice.ts';

/**
 * An inbound call. `callId` prefixes leg and command ids: unique, and stable for the whole call.
 */
export interface Inbound {
  callId: string;
  leg: LegId;
  from: string;
  to: string;
  callerName?: string | undefined;
  /** Two-letter state of the caller's number, if known (geo routes). */
  state?: string | undefined;
}

/**
 * A call placed from the app: the agent's own leg is set up first, then the destination is rung
 * with `callerId`.
 */
export interface Outbound {
  callId: string;
  userId: number;
  userName: string;
  /** The device to join from, if the agent has several. */
  device?: string | undefined;
  to: string;
  /** Pressed once the destination answers, such as an extension. */
  keys?: string;
  toLabel: string;
  callerId: string;
  timeoutSeconds: number;
}

/** Random numbers and round-robin memory, given at call start so that the engine stays pure. */
export interface EngineInputs {
  /** Epoch milliseconds. */
  now: number;
  /** Random numbers in [0, 1) for weighted choices, used in order and cyclically. Give 8. */
  draw: number[];
  /**
   * Calls so far per route id (strict and weighted round robin). The host may refresh it before a
   * step that enters a route.
   */
  turns?: Record<number, number> | undefined;
  /** When each destination key (E.164 or `user:7`) of a route last answered, epoch ms. */
  lastAnswered?: Record<number, Record<string, number>> | undefined;
}
