import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { DeviceMessage } from '../../exchange/devices.ts';
import type { ExchangeAddress } from './exchanges.ts';

const Body = z
  .object({
    token: z.string(),
    resume: z
      .string()
      .regex(/^[\w-]{16,64}$/)
      .nullable(),
  })
  .partial()
  .catch({});
const Joined = z.object({
  type: z.literal('joined'),
  session: z.string(),
  ringing: z.array(z.string()),
});

/** Asks one exchange to register the page; null: it didn't answer. */
type SendJoin = (
  to: ExchangeAddress,
  body: object,
  signal: AbortSignal,
) => Promise<Dispatcher.ResponseData | null>;

/** `status` null: not every exchange that runs could be asked, so the page tries again. */
export type JoinAnswer =
  | { state: 'joined'; stream: PassThrough }
  | { state: 'refused'; status: number | null; body: string };

/** The lines of one exchange's stream to the page. */
type Lines = AsyncGenerator<string, void>;

/**
 * A page's registration at every exchange that runs, as one stream of lines. It ends when one of
 * them ends: the page then joins again, and learns which of its calls are still there.
 */
export class PageRegistration {
  readonly #token: string;
  #session: string;
  readonly #send: SendJoin;
  readonly #at = new Map<string, AbortController>();
  readonly #stream = new PassThrough();
  #closed = false;

  constructor(body: unknown, send: SendJoin) {
    const { token = '', resume } = Body.parse(body);
    this.#token = token;
    this.#session = resume ?? newSession();
    this.#send = send;
    // A page may leave at any time.
    this.#stream.on('error', () => this.close());
  }

  /** Registers at all of them. One that is left out could have the page's call, so none may be. */
  async join(running: readonly ExchangeAddress[]): Promise<JoinAnswer> {
    let answers = await Promise.all(running.map((one) => this.#joinOne(one)));
    if (answers.some((one) => 'joined' in one && one.joined.session !== this.#session)) {
      // Its session is another person's there, so it begins a new one.
      this.#leaveAll();
      this.#session = newSession();
      answers = await Promise.all(running.map((one) => this.#joinOne(one)));
    }
    const refused = answers
      .flatMap((one) => ('refused' in one ? [one.refused] : []))
      .toSorted((one, other) => (other.status ?? 0) - (one.status ?? 0))[0];
    const joined = answers.flatMap((one) => ('joined' in one ? [one] : []));
    if (joined.length === 0 || refused || this.#closed) {
      this.close();
      return { state: 'refused', status: null, body: '', ...refused };
    }
    const ringing = joined.flatMap((one) => one.joined.ringing);
    this.#write({ type: 'joined', session: this.#session, ringing });
    for (const { lines } of joined) void this.#pass(lines);
    return { state: 'joined', stream: this.#stream };
  }

  /** Registers at those that have come since. */
  async follow(running: readonly ExchangeAddress[]): Promise<void> {
    const added = running.filter(({ id }) => !this.#at.has(id));
    for (const one of added) {
      const answer = await this.#joinOne(one);
      if ('joined' in answer) void this.#pass(answer.lines);
      else this.#at.delete(one.id); // asked again
    }
    if (this.#closed) this.#leaveAll();
  }

  close(): void {
    this.#closed = true;
    this.#leaveAll();
    this.#stream.end();
  }

  #leaveAll(): void {
    for (const at of this.#at.values()) at.abort();
    this.#at.clear();
  }

  async #joinOne(
    to: ExchangeAddress,
  ): Promise<
    | { joined: z.output<typeof Joined>; lines: Lines }
    | { refused: { status: number | null; body: string } }
  > {
    const at = new AbortController();
    this.#at.set(to.id, at);
    const none = { refused: { status: null, body: '' } };
    const body = { token: this.#token, resume: this.#session };
    const response = await this.#send(to, body, at.signal);
    if (response === null) return none;
    if (response.statusCode >= 300)
      return { refused: { status: response.statusCode, body: await response.body.text() } };
    const lines = linesOf(response.body);
    const first = await lines.next().catch(() => null);
    const joined = Joined.safeParse(first && !first.done ? JSON.parse(first.value) : null);
    return joined.success ? { joined: joined.data, lines } : none;
  }

  async #pass(lines: Lines): Promise<void> {
    try {
      for await (const line of lines) if (!this.#closed) this.#stream.write(`${line}\n`);
    } catch {
      // The exchange or the page has left.
    }
    this.close();
  }

  #write(message: DeviceMessage): void {
    this.#stream.write(`${JSON.stringify(message)}\n`);
  }
}

const newSession = (): string => randomBytes(18).toString('base64url');

async function* linesOf(body: AsyncIterable<Buffer>): Lines {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of body) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
}
