/**
 * SIP between a phone and the exchange that has its call, when the phone is registered at another
 * one: only over that one's flow does it get anything. The phone's exchange hands messages on as
 * they are, and knows of the call nothing but its Call-ID.
 */
import type { FastifyInstance } from 'fastify';
import { Agent, RetryAgent } from 'undici';
import { requireSecret } from '../control-http.ts';
import { secretHeader } from '../protocol.ts';
import type { ParsedMessage } from './message.ts';
import type { SipPhoneElsewhere } from '../../platform/sip-phones.ts';
import { readMessage } from './read-message.ts';
import type { Flow } from './transaction-types.ts';

/** Calls elsewhere whose phone is here; the one that was silent the longest is forgotten. */
const mostCalls = 10_000;
const answerMs = 5000;
/** Over connections, phones and exchanges send nothing twice: what is lost here ends the call. */
const again = { methods: ['POST' as const], maxRetries: 3, minTimeout: 100 };

/** A flow as exchanges tell each other of it. */
interface FlowName {
  transport: Flow['transport'];
  address: string;
  port: number;
  key: string;
  /** `host:port` of the exchange there. */
  at: string;
}
/** `message` is base64. `from`: the control port of the exchange that says it. */
interface ToPhone {
  from: string;
  flow: string;
  port?: number;
  message: string;
}
interface FromPhone {
  from: string;
  flow: FlowName;
  message: string;
}

export class Relay {
  /** By Call-ID: whose call it is, and the flow its phone last used. */
  readonly #calls = new Map<string, { url: string; flow: Flow }>();
  readonly #agent = new RetryAgent(
    new Agent({ headersTimeout: answerMs, bodyTimeout: answerMs }),
    again,
  );
  /** One after the other to each exchange, so that messages keep their order. */
  readonly #sending = new Map<string, Promise<void>>();

  constructor(
    private readonly options: {
      secret: string;
      url: string;
      log: (message: string, detail?: object) => void;
    },
    /** `host:port` by which phones know this exchange. */
    private readonly at: () => string,
    /** The flow of a phone that is registered here; null: none has this key. */
    private readonly flowOf: (key: string) => Flow | null,
    /** What a phone elsewhere sends for a call here. */
    private readonly onMessage: (read: ParsedMessage, flow: Flow) => void,
  ) {}

  /** Hands a message on whose call is at another exchange. False: it is ours. */
  takes(read: ParsedMessage, flow: Flow, bytes: Buffer): boolean {
    if (this.#calls.size === 0 || (read.kind !== 'request' && read.kind !== 'response'))
      return false;
    const call = this.#calls.get(read.callId);
    // From elsewhere anyone could write this Call-ID.
    if (!call || call.flow.address !== flow.address) return false;
    this.#remember(read.callId, { url: call.url, flow });
    const { transport, address, port, key } = flow;
    const message = bytes.toString('base64');
    this.#post<FromPhone>(call.url, 'from-phone', {
      from: this.options.url,
      flow: { transport, address, port, key, at: this.at() },
      message,
    });
    return true;
  }

  /** The flow to a phone that is registered at another exchange. */
  flowTo({ url, transport, address, port, flow: key, reachedAt: at }: SipPhoneElsewhere): Flow {
    return this.#flowBy(url, { transport, address, port, key, at });
  }

  #flowBy(url: string, name: FlowName): Flow {
    return {
      ...name,
      send: (bytes, port) =>
        this.#post<ToPhone>(url, 'to-phone', {
          from: this.options.url,
          flow: name.key,
          ...(port !== undefined && { port }),
          message: bytes.toString('base64'),
        }),
    };
  }

  /** Another exchange sends to a phone that is here. */
  toPhone({ from: url, flow: key, port, message }: ToPhone): void {
    const bytes = Buffer.from(message, 'base64');
    const read = readMessage(bytes);
    if (read.kind !== 'request' && read.kind !== 'response') return;
    const known = this.#calls.get(read.callId)?.flow;
    const flow = known?.key === key ? known : this.flowOf(key);
    if (!flow) return;
    this.#remember(read.callId, { url, flow });
    flow.send(bytes, port);
  }

  /** A phone elsewhere sends for a call that is here. */
  fromPhone({ from: url, flow, message }: FromPhone): void {
    const bytes = Buffer.from(message, 'base64');
    this.onMessage(readMessage(bytes), this.#flowBy(url, flow));
  }

  #remember(callId: string, call: { url: string; flow: Flow }): void {
    this.#calls.delete(callId);
    this.#calls.set(callId, call);
    if (this.#calls.size > mostCalls)
      for (const oldest of this.#calls.keys()) if (this.#calls.delete(oldest)) break;
  }

  /** What an exchange can't be told several times over is lost: it has ended, and its calls with it. */
  #post<Body>(url: string, path: string, body: Body): void {
    const send = async () => {
      const { statusCode, body: answer } = await this.#agent.request({
        origin: url,
        path: `/sip/${path}`,
        method: 'POST',
        headers: { 'content-type': 'application/json', [secretHeader]: this.options.secret },
        body: JSON.stringify(body),
      });
      await answer.dump();
      if (statusCode >= 300) throw new Error(`It answered ${statusCode}`);
    };
    const sent = (this.#sending.get(url) ?? Promise.resolve())
      .then(send)
      .catch((error: unknown) => {
        this.options.log('A SIP message didn’t reach another exchange', { because: String(error) });
      });
    this.#sending.set(url, sent);
    void sent.then(() => this.#sending.get(url) === sent && this.#sending.delete(url));
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** What other exchanges ask. `relay`: null while there is no SIP server. */
export function relayHttp(app: FastifyInstance, secret: string, relay: () => Relay | null): void {
  const onRequest = requireSecret(secret);
  app.post<{ Body: ToPhone }>('/sip/to-phone', { onRequest }, async ({ body }, reply) => {
    relay()?.toPhone(body);
    return reply.code(204).send();
  });
  app.post<{ Body: FromPhone }>('/sip/from-phone', { onRequest }, async ({ body }, reply) => {
    relay()?.fromPhone(body);
    return reply.code(204).send();
  });
}
