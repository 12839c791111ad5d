/** What the engine reacts to, and what a step returns. */
import type { LegId, VoiceCommand, VoiceEvent } from '../../../../gateways/voice.ts';
import type { Target } from './ring-plan.ts';
import type { CallState, HistoryEntry, Monitor, PathStep } from './state.ts';

/**
 * Where a call is transferred to: a destination, the people of a team at once, or a route of the same
 * number. `pause`: why the
 * destination isn't rung, so that the call goes where unanswered calls of its route go.
 */
export type TransferTo =
  | { kind: 'target'; target: Target; pause?: string | undefined }
  | { kind: 'team'; key: string; label: string; targets: Target[] }
  | { kind: 'route'; routeId: number };

/**
 * Transfer, park, third parties and supervisors. `by` is the requesting user, who is in the
 * conversation. `ask`: consult the target first (attended transfer).
 */
export type TransferEvent =
  | { type: 'transfer'; by: number; to: TransferTo; ask: boolean }
  /** The consulted party gets the call; `merge`: all three talk. */
  | { type: 'completeTransfer'; by: number }
  | { type: 'merge'; by: number }
  | { type: 'swap'; by: number }
  | { type: 'cancelTransfer'; by: number }
  | { type: 'park'; by: number; slot: number; seconds: number }
  | { type: 'unpark'; target: Target }
  | { type: 'add'; by: number; target: Target }
  /** Drop one third party (ringing or talking). */
  | { type: 'remove'; by: number; leg: LegId }
  /** A supervisor joins, or changes the mode. */
  | { type: 'monitor'; target: Target; mode: Monitor['mode'] }
  | { type: 'stopMonitor'; userId: number };

/** What users do on screen during the call; the host has already checked their permission. */
export type ScreenEvent =
  | { type: 'hold'; on: boolean }
  | { type: 'record'; on: boolean }
  | { type: 'sendDigits'; digits: string }
  /** A user declines in the app: only that user's leg ends. */
  | { type: 'decline'; userId: number }
  /** An agent hangs up in the app. Ends the call unless others stay in it. */
  | { type: 'hangup'; by?: number }
  | TransferEvent;

export type EngineEvent = VoiceEvent | { type: 'timer'; id: string } | ScreenEvent;

/**
 * `commands` are performed in order after the state is stored. `history` and `path` hold the
 * entries this step added (the state holds all). An event that does not apply returns the same
 * state object and empty lists.
 */
export interface StepResult {
  state: CallState;
  commands: VoiceCommand[];
  history: HistoryEntry[];
  path: PathStep[];
}
