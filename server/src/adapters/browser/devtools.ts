import type { Readable, Writable } from 'node:stream';

/** Of one message: what the browser sends about one page stays far below. */
const MOST_BYTES = 64 * 1024 * 1024;
const ANSWER_MS = 5_000;

/** What we use of an event. */
export interface DevToolsEvent {
  method: string;
  sessionId?: string;
  params: Record<string, unknown>;
}
interface Message extends Partial<DevToolsEvent> {
  id?: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/**
 * The browser's DevTools protocol over its pipe: JSON texts that end with a zero byte. A pipe is open
 * to this process alone, a port would be to every program of the machine.
 */
export class DevTools {
  private readonly waiting = new Map<number, (message: Message) => void>();
  private readonly listeners: ((event: DevToolsEvent) => void)[] = [];
  private lastId = 0;
  private parts: Buffer[] = [];
  private bytes = 0;

  constructor(
    private readonly toBrowser: Writable,
    fromBrowser: Readable,
    private readonly tooMuch: () => void,
  ) {
    toBrowser.on('error', () => {});
    fromBrowser.on('error', () => {});
    fromBrowser.on('data', (chunk: Buffer) => this.take(chunk));
  }

  on(listen: (event: DevToolsEvent) => void): void {
    this.listeners.push(listen);
  }

  /** Rejects when the browser refuses, or doesn't answer in time: 5 seconds, unless another time is given. */
  send(
    method: string,
    params: Record<string, unknown> = {},
    sessionId?: string,
    answerMs = ANSWER_MS,
  ): Promise<Record<string, unknown>> {
    const id = (this.lastId += 1);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(new Error(`${method} has no answer`));
      }, answerMs);
      this.waiting.set(id, ({ result, error }) => {
        clearTimeout(timer);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result ?? {});
      });
      this.toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  private take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      const text = Buffer.concat([...this.parts, chunk.subarray(from, end)]).toString('utf8');
      this.parts = [];
      this.bytes = 0;
      from = end + 1;
      this.handle(JSON.parse(text) as Message);
    }
    this.parts.push(chunk.subarray(from));
    this.bytes += chunk.length - from;
    if (this.bytes > MOST_BYTES) this.tooMuch();
  }

  private handle({ id, method, sessionId, params, ...answer }: Message): void {
    if (id !== undefined) {
      this.waiting.get(id)?.(answer);
      this.waiting.delete(id);
    } else if (method)
      for (const listen of this.listeners)
        listen({ method, params: params ?? {}, ...(sessionId && { sessionId }) });
  }
}
