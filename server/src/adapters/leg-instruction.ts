import type { LegId, Prompt } from '../gateways/voice.ts';

/**
 * What a leg should be doing now. Commands only change this; a document (TwiML, BXML) is made from it whenever the carrier asks or is told, so that
 * a document asked for twice, late or of another process is the same one.
 */
export type LegInstruction =
  /** Silence; an inbound leg that was not answered goes on ringing at its caller. */
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
  /** In a conference: with whom it is bridged, or a room of several. `coach`: the leg that alone hears this one. */
  | { kind: 'room'; room: string; muted: boolean; coach: LegId | null }
  /** Keys, then what it did before. */
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
