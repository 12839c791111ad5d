/** The process that holds a speech model: started when it is needed, ended when it rests. */
import { fork, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { SpeechModel } from './model-files.ts';

const script = fileURLToPath(new URL('./recognize.mjs', import.meta.url));
/** A model in memory that no one uses is given back. */
const IDLE_MS = 5 * 60_000;
/** Half a minute of speech takes no longer on any machine that could do this work. */
const TIMEOUT_MS = 10 * 60_000;

const Said = z.looseObject({
  text: z.string(),
  tokens: z.array(z.string()).default([]),
  /** Seconds at which each token begins. Empty where the model doesn't know. */
  timestamps: z.array(z.number()).default([]),
  ys_log_probs: z.array(z.number()).default([]),
});
/** What sherpa-onnx heard. */
export type Said = z.output<typeof Said>;
const Answer = z.union([
  z.object({ id: z.number(), said: Said }),
  z.object({ id: z.number(), failed: z.string() }),
]);

interface Speech {
  language: string;
  sampleRate: number;
  /** −1 to 1. */
  samples: Float32Array;
}

/** Hears one piece of speech at a time; further ones wait. */
export class Recognizer {
  #child: ChildProcess | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #rest: NodeJS.Timeout | null = null;
  #id = 0;

  constructor(
    private readonly model: SpeechModel,
    private readonly threads: number,
    private readonly limits = { idleMs: IDLE_MS, timeoutMs: TIMEOUT_MS },
  ) {}

  /** Rejects when the model fails, ends its process or takes too long; the next one starts anew. */
  hear(speech: Speech): Promise<Said> {
    const mine = this.#last.then(() => this.#hear(speech));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  /** Whether the model is in memory. */
  get isLoaded(): boolean {
    return this.#child !== null;
  }

  /** Ends the process. */
  close(): void {
    if (this.#rest) clearTimeout(this.#rest);
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  async #hear(speech: Speech): Promise<Said> {
    if (this.#rest) clearTimeout(this.#rest);
    const child = (this.#child ??= this.#start());
    try {
      return await this.#ask(child, { id: ++this.#id, ...speech });
    } catch (error) {
      this.close();
      throw error;
    } finally {
      this.#rest = setTimeout(() => this.close(), this.limits.idleMs).unref();
    }
  }

  #start(): ChildProcess {
    // The child runs Node without our loaders, and gets none of our settings.
    const child = fork(script, {
      execArgv: [],
      env: { PATH: process.env['PATH'] ?? '' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child.send({ model: this.model, threads: this.threads });
    child.unref();
    child.channel?.unref();
    (child.stderr as Socket | null)?.unref();
    child.once('exit', () => {
      if (this.#child === child) this.#child = null;
    });
    return child;
  }

  #ask(child: ChildProcess, message: Speech & { id: number }): Promise<Said> {
    return new Promise((resolve, reject) => {
      let complaint = '';
      const listen = (part: Buffer): void => {
        complaint = (complaint + part.toString()).slice(-300);
      };
      const end = (): void => {
        clearTimeout(timer);
        child.channel?.unref();
        child.stderr?.off('data', listen);
        child.off('message', receive).off('exit', exit).off('error', fail);
      };
      const fail = (error: Error): void => {
        end();
        reject(error);
      };
      const exit = (): void => fail(new Error(`The speech model stopped: ${complaint.trim()}`));
      const receive = (answer: unknown): void => {
        const read = Answer.safeParse(answer);
        if (!read.success) return fail(new Error('The speech model’s answer has no text.'));
        if (read.data.id !== message.id) return;
        if ('failed' in read.data) return fail(new Error(read.data.failed));
        end();
        resolve(read.data.said);
      };
      const timer = setTimeout(
        () => fail(new Error('The speech model took too long.')),
        this.limits.timeoutMs,
      );
      child.stderr?.on('data', listen);
      child.on('message', receive).on('exit', exit).on('error', fail);
      // While it works, this process stays for its answer.
      child.channel?.ref();
      child.send(message);
    });
  }
}
