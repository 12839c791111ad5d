import { setTimeout as pause } from 'node:timers/promises';
import type { RetryingDatabase } from './product.ts';

/** A line of the demo company, which greets with a menu, and its outside callers. */
export const OUR_NUMBER = '+12125552340';
export const phone = (n: number): string => `+1917555${String(2000 + n).slice(-4)}`;

interface Answer {
  status: number;
  body: any; // oxlint-disable-line no-explicit-any -- whatever came back
}

/** One request with a timeout; throws without a response. */
export async function request(
  url: string,
  path: string,
  init: { method?: string; body?: object; token?: string; key?: string } = {},
  timeoutMs = 8_000,
): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    method: init.method ?? (init.body ? 'POST' : 'GET'),
    headers: {
      ...(init.body ? { 'content-type': 'application/json' } : {}),
      ...(init.token ? { authorization: `Bearer ${init.token}` } : {}),
      ...(init.key ? { 'idempotency-key': init.key } : {}),
    },
    ...(init.body ? { body: JSON.stringify(init.body) } : {}),
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: answer.status, body: answer.status === 204 ? null : await answer.json() };
}

/** Like `request`, retried for about two minutes while processes are being killed. */
export async function requestWithRetry(
  url: string,
  path: string,
  init: Parameters<typeof request>[2] = {},
): Promise<Answer> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const answer = await request(url, path, init).catch(() => null);
    if (answer && answer.status < 500 && answer.status !== 409) return answer;
    await pause(250);
  }
  throw new Error(`${path} never answered`);
}

/** Access token of the demo company's owner. */
export async function signInAsOwner(url: string): Promise<string> {
  const body = { email: 'owner@demo.test', password: 'trunkline-demo' };
  return (await requestWithRetry(url, '/api/sanctum/login', { body })).body.token.access_token;
}

/** What was lost, doubled or left open; empty lists when all is well. */
interface Audit {
  lostInbound: string[];
  duplicateInbound: string[];
  lostOutbound: string[];
  duplicateOutbound: string[];
  duplicateCalls: string[];
  unfinished: string[];
  /** Calls with a record, and texts the carrier never acknowledged. */
  recorded: number;
  unknown: number;
}

/** Texts and calls of the demo company that survive kills, and their reconciliation. */
export class Traffic {
  readonly textsIn: string[] = [];
  readonly textsOut: string[] = [];
  readonly calls: string[] = [];
  private dialled = 0;
  private number: { company_id: number; id: number } | null = null;

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly db: RetryingDatabase,
  ) {}

  /** An outside phone texts us, with another text each try, until the carrier accepts one. */
  async textIn(n: number): Promise<void> {
    for (let attempt = 0; attempt < 400; attempt++) {
      const text = `in-${n}-${attempt}.`;
      const body = { from: phone(n % 50), to: OUR_NUMBER, text };
      const answer = await request(this.url, '/sandbox/texts', { body }).catch(() => null);
      if (answer && answer.status < 300) return void this.textsIn.push(text);
      await pause(300);
    }
    throw new Error(`The text in-${n} was never taken`);
  }

  /** We text a contact, under one idempotency key until it is acknowledged. */
  async textOut(n: number): Promise<void> {
    this.number ??= await this.db.queryOne(
      'select company_id::float8 company_id, id::float8 id from number where number = $1',
      [OUR_NUMBER],
    );
    const key = `out-${n}.`;
    const to = phone(100 + (n % 50));
    const body = {
      companyId: this.number!.company_id,
      numberId: this.number!.id,
      to,
      message: key,
    };
    for (let attempt = 0; attempt < 400; attempt++) {
      const asked = { token: this.token, key, body };
      const answer = await request(this.url, '/api/message', asked).catch(() => null);
      if (answer && answer.status < 300) return void this.textsOut.push(key);
      const refused = answer && answer.status < 500 && ![409, 429].includes(answer.status);
      if (refused)
        throw new Error(`POST /message: ${answer.status} ${JSON.stringify(answer.body)}`);
      await pause(300);
    }
    throw new Error(`The text ${key} was never acknowledged`);
  }

  /**
   * An outside phone calls and hangs up after this long; an unanswered try may have rung all the
   * same, so each uses another phone.
   */
  async call(talkMs: number): Promise<void> {
    for (let attempt = 0; attempt < 40; attempt++) {
      const from = phone(200 + this.dialled++);
      const body = { from, to: OUR_NUMBER, speech: 'Hello, is anybody there?' };
      const answer = await request(this.url, '/sandbox/calls', { body }).catch(() => null);
      if (answer && answer.status < 300) {
        this.calls.push(from);
        const hangUp = `/sandbox/calls/${answer.body.data.id}/hangup`;
        void pause(talkMs)
          .then(() => request(this.url, hangUp, { body: {} }))
          .catch(() => {});
        return;
      }
      await pause(400);
    }
  }

  private records(): Promise<{ party: string; n: number; finished: boolean; items: number }[]> {
    return this.db.rows(`select c.party, count(*)::int n,
        bool_and(c.status in (3, 4, 7, 8, 10, 11, 12, 13) and c.ended_at is not null) finished,
        (select count(*)::int from conversation_item i
          where i.kind = 'call' and i.source = any(array_agg('call:' || c.id))) items
      from call c where c.party like '+19175552%' and c.started_at > now() - interval '1 hour'
      group by c.party`);
  }

  /** How much is unfinished: receipts, retries, live calls. */
  private async open(): Promise<number> {
    const { n } = await this.db.queryOne<{ n: number }>(
      `select
      (select count(*) from conversation_item where text like 'out-%' and delivery_state in ('queued', 'sending', 'sent'))::int
      + (select count(*) from live_call where not ended)::int
      + $2::int - (select count(distinct text) from conversation_item where is_inbound and text = any($1))::int as n`,
      [this.textsIn, this.textsIn.length],
    );
    return n;
  }

  /**
   * Waits until everything has ended (at most five minutes), then compares our records with the
   * carrier's.
   */
  async audit(): Promise<Audit> {
    // Read before checking that all calls have ended: another one may be reported even then.
    let records = await this.records();
    for (let i = 0; i < 600 && ((await this.open()) > 0 || records.some((r) => !r.finished)); i++) {
      await pause(500);
      records = await this.records();
    }
    const stored = await this.db.rows<{ text: string; n: number }>(`select text, count(*)::int n
      from conversation_item where is_inbound and text like 'in-%' group by text`);
    const inbox = new Map(stored.map(({ text, n }) => [text, n]));
    const carrier = new Map<string, number>();
    for (let n = 0; n < 50; n++) {
      const path = `/sandbox/texts?phone=${encodeURIComponent(phone(100 + n))}`;
      const { body } = await requestWithRetry(this.url, path);
      for (const { text } of body as { text: string }[])
        carrier.set(text, (carrier.get(text) ?? 0) + 1);
    }
    const sent = await this.db.rows<{
      text: string;
      state: string;
    }>(`select text, delivery_state state
      from conversation_item where text like 'out-%'`);
    const states = new Map(sent.map(({ text, state }) => [text, state]));
    const told = ['unknown', 'failed', 'undelivered'];
    const twice = (seen: Map<string, number>) =>
      [...seen].filter(([, n]) => n > 1).map(([text]) => text);
    return {
      lostInbound: this.textsIn.filter((text) => !inbox.has(text)),
      duplicateInbound: twice(inbox),
      lostOutbound: this.textsOut.filter(
        (key) => !carrier.has(key) && !told.includes(states.get(key) ?? ''),
      ),
      duplicateOutbound: twice(carrier),
      // A call whose webhook died with the media process was never reported, and has no record.
      duplicateCalls: records
        .filter(({ n, items }) => n > 1 || items > 1)
        .map(({ party }) => party),
      unfinished: records.filter(({ finished }) => !finished).map(({ party }) => party),
      recorded: records.length,
      unknown: [...states.values()].filter((state) => state === 'unknown').length,
    };
  }
}
