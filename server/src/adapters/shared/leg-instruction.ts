import type { LegId, Prompt } from '../../gateways/voice.ts';

/**
 * What a leg should be doing now. Commands only change this; the document (TwiML, BXML) is written
 * from it whenever the carrier requests or gets it. So a document that is requested twice, late or
 * from another process is always the same.
 */
export type LegInstruction =
  /** Silence. The caller of an unanswered inbound leg still hears ringing. */
  | { kind: 'wait' }
  | { kind: 'play'; command: string; prompts: Prompt[] }
  | {
      kind: 'gather';
      command: string;
      prompts: Prompt[];
      maxDigits: number;
      timeoutSeconds: number;
      finishOn: string;
    }
  | { kind: 'music'; musicId: number | null; file: string | null }
  /**
   * In a conference: bridged with one leg, or in a room. `coach`: the only leg that hears this one.
   */
  | { kind: 'room'; room: string; muted: boolean; coach: LegId | null }
  /** Send keys, then continue with `then`. */
  | { kind: 'keys'; command: string; digits: string; then: LegInstruction }
  | {
      kind: 'record';
      recordingId: string;
      maxSeconds: number;
      beep: boolean;
      silenceSeconds: number;
    }
  | { kind: 'hangup' }
  | { kind: 'reject'; because: 'busy' | 'blocked' | 'notInService' | 'declined' };
