/**
 * The sandbox's telephone exchange: a small telecom of its own, in the media process. It owns legs and sound;
 * it learns what to do by POST /commands and tells what happened by webhook. Nothing of it survives a restart:
 * a leg it no longer knows is answered 404, and the product reconciles.
 */
import type { SpeechPort } from '../../../ports/speech.ts';

export interface SwitchOptions {
  /** 0 takes any free port. */
  port: number;
  /** Only the web and worker processes need to reach it, so it listens on this machine alone unless told otherwise. */
  host?: string;
  /** Shared with the web process: signs webhooks, recordings' addresses and media tokens, and opens /commands. */
  secret: string;
  /** The web process as seen from here, e.g. `http://127.0.0.1:3000`; webhooks go to its /carriers/sandbox/voice. */
  publicWebUrl: string;
  /** A folder of our own: recordings wait here to be fetched (24 h), spoken prompts are kept. */
  filesDir: string;
  speech: SpeechPort;
  /** The bytes of a file named in a `play` prompt; null when there is none. WAV is understood. */
  fetchFile?: (fileId: string) => Promise<Uint8Array | null>;
  /** Where the trouble switches are kept; the same path as in the web process. */
  troubleFile?: string | null;
  /** Calls carried at once; above it callers hear busy. */
  maxCalls?: number;
  log?: (message: string, detail?: object) => void;
}

export interface RunningSwitch {
  port: number;
  url: string;
  /** Ends every leg without a report and stops listening. */
  close(): Promise<void>;
}

export declare function startSwitch(options: SwitchOptions): Promise<RunningSwitch>;
