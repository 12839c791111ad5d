/** Finds the exchange that has a call, among all that run. */
import { Agent } from 'undici';
import { exchangeHeader, secretHeader } from '../../exchange/protocol.ts';
import type { Db } from '../../platform/db.ts';
import {
  hasRoom,
  runningExchanges,
  urlOfExchange,
  type RunningExchange,
} from '../../platform/exchanges.ts';

/** Where one exchange is reached. */
export interface ExchangeAddress {
  id: string;
  url: string;
}

/** The exchanges that run. */
export interface Exchanges {
  /** For a new call the best first. */
  running(): Promise<ExchangeAddress[]>;
  /** As `ExchangeChoice.forCarriers` says. */
  forCarriers(ofCall: string | null): Promise<{ exchange: string; at: string } | null>;
  /** False: some run, and none takes another call. */
  hasRoom(): Promise<boolean>;
  /** Null: it has ended. */
  urlOf(id: string): Promise<string | null>;
}

/** For this long a list is good enough, in ms. */
const freshMs = 500;

/** The exchanges that have announced themselves in the database. */
export function announcedExchanges(db: Db): Exchanges {
  let read: Promise<RunningExchange[]> | null = null;
  let last: RunningExchange[] = [];
  let readAt = -Infinity;
  const list = async () => {
    if (performance.now() - readAt < freshMs) return last;
    read ??= runningExchanges(db).finally(() => {
      read = null;
    });
    last = await read;
    readAt = performance.now();
    return last;
  };
  return {
    running: list,
    hasRoom: async () => {
      const all = await list();
      return all.length === 0 || all.some(hasRoom);
    },
    forCarriers: async (ofCall) => {
      const found = (await list()).find(
        ({ id, sip_address: at }) => at !== null && (ofCall === null || id === ofCall),
      );
      return found?.sip_address ? { exchange: found.id, at: found.sip_address } : null;
    },
    urlOf: (id) => urlOfExchange(db, id),
  };
}

/** Asks exchanges on behalf of one part of the product. */
export class ExchangeClient {
  readonly #agent = new Agent({ connections: 8, headersTimeout: 10_000, bodyTimeout: 10_000 });

  constructor(
    private readonly exchanges: Exchanges,
    private readonly secret: string,
  ) {}

  /** The exchange that knows this leg; null: none does. With a single one, that one is not asked. */
  async ofLeg(leg: string): Promise<ExchangeAddress | null> {
    const running = await this.exchanges.running();
    if (running.length < 2) return running[0] ?? null;
    const asked = await Promise.all(
      running.map(async (one) => {
        const answer = await this.send(one.url, 'GET', `/legs/${encodeURIComponent(leg)}`).catch(
          () => null,
        );
        await answer?.body.dump();
        return answer !== null && answer.statusCode < 300 ? one : null;
      }),
    );
    return asked.find((one) => one !== null) ?? null;
  }

  /** Null: it doesn't know that; undefined: it has ended. Throws for an answer that is an error. */
  async ask<Answer>(
    exchange: string,
    method: 'GET' | 'POST',
    path: string,
    body?: object,
  ): Promise<Answer | null | undefined> {
    const url = await this.exchanges.urlOf(exchange);
    if (url === null) return undefined;
    const answer = await this.send(url, method, path, body, exchange);
    if (answer.statusCode < 300) return (await answer.body.json()) as Answer;
    const text = (await answer.body.text()).slice(0, 200);
    if (answer.statusCode === 404) return null;
    throw new Error(`The exchange answered ${answer.statusCode}: ${text}`);
  }

  /** The best for a new call. Throws when none runs. */
  async best(): Promise<string> {
    const [best] = await this.exchanges.running();
    if (!best) throw new Error('No exchange runs');
    return best.id;
  }

  /** `exchange`: the one that is meant, where any other would answer wrongly. */
  send(origin: string, method: 'GET' | 'POST', path: string, body?: object, exchange?: string) {
    return this.#agent.request({
      origin,
      method,
      path,
      headers: {
        [secretHeader]: this.secret,
        ...(exchange !== undefined && { [exchangeHeader]: exchange }),
        'content-type': 'application/json',
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
