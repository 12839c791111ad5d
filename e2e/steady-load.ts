import { setTimeout as pause } from 'node:timers/promises';
import { channels, Listener } from './live-listener.ts';
import type { RetryingDatabase } from './product.ts';
import { OUR_NUMBER, phone, request } from './traffic.ts';

/** How long an answer may take, in ms: a busy machine is slow, which is shown but no failure. */
const patienceMs = 60_000;
/** How long what was asked may take to be handled at the end, in ms. */
const settleMs = 120_000;

/** What became of a load; empty lists and zeros when all is well. */
export interface LoadAudit {
  requests: number;
  slowestMs: number;
  failed: string[];
  lostContacts: string[];
  doubleContacts: string[];
  lostTexts: string[];
  doubleTexts: string[];
  events: number;
  missed: number;
  resyncs: number;
  connections: number;
  calls: number;
  dropped: string[];
  unfinished: string[];
}

/**
 * People and phones of the demo company that never rest: they read, write, text, call and listen.
 * Nothing is asked twice, so what fails is seen.
 */
export class SteadyLoad {
  readonly failed: string[] = [];
  /** While a process is killed, what it was asked may fail; what it answered must be kept. */
  mayFail = false;
  private requests = 0;
  private slowestMs = 0;
  private readonly contacts: string[] = [];
  private readonly textsIn: string[] = [];
  private readonly textsOut: string[] = [];
  private readonly calls: string[] = [];
  private readonly dropped: string[] = [];
  private readonly listeners: Listener[] = [];
  private readonly loops: Promise<void>[] = [];
  private stopped = false;
  private firstSeq = 0;

  constructor(
    private readonly url: string,
    private readonly token: string,
    private readonly db: RetryingDatabase,
    /** Where its numbering begins, so that two loads are told apart. */
    private readonly first = 0,
  ) {}

  async start(): Promise<void> {
    const { company, number } = await this.db.queryOne<{ company: number; number: number }>(
      'select company_id::float8 company, id::float8 number from number where number = $1',
      [OUR_NUMBER],
    );
    for (const _ of [1, 2]) this.listeners.push(new Listener(this.url, this.token, company));
    while (this.listeners.some(({ connections }) => connections === 0)) await pause(50);
    await pause(1000);
    this.firstSeq = (
      await this.db.queryOne<{ seq: number }>('select last_seq::float8 seq from outbox_cursor')
    ).seq;
    const { token } = this;
    const reads = [
      `/api/companies/${company}/conversations`,
      `/api/contacts?company_id=${company}`,
      '/api/user',
    ];
    for (const path of reads)
      this.repeat(100, () => this.ask(path, { token }).then(() => undefined));
    this.repeat(250, async (n) => {
      const number = `+1929${2_000_000 + n}`;
      const body = { companyId: company, name: `Person ${n}`, number };
      if (await this.ask('/api/contacts', { token, body })) this.contacts.push(number);
    });
    this.repeat(300, async (n) => {
      const text = `in-${n}.`;
      const body = { from: phone(n % 50), to: OUR_NUMBER, text };
      if (await this.ask('/sandbox/texts', { body })) this.textsIn.push(text);
    });
    this.repeat(400, async (n) => {
      const message = `out-${n}.`;
      const to = phone(100 + (n % 50));
      const body = { companyId: company, numberId: number, to, message };
      if (await this.ask('/api/message', { token, body, key: `steady-${n}` }))
        this.textsOut.push(message);
    });
    for (const each of [0, 1, 2])
      this.repeat(500, (n) => this.call(200 + (n - this.first) * 3 + each));
  }

  /** An outside phone calls, hears the menu for a few seconds, and hangs up. */
  private async call(n: number): Promise<void> {
    const from = phone(n);
    const placed = await this.ask('/sandbox/calls', { body: { from, to: OUR_NUMBER } });
    if (!placed) return;
    const { id } = placed.body.data as { id: string };
    this.calls.push(from);
    await pause(3000 + (n % 5) * 700);
    const seen = await this.ask(`/sandbox/calls/${id}`, {});
    if (seen && seen.body.state === 'ended')
      this.dropped.push(`${from}: ${seen.body.endedBecause}`);
    await this.ask(`/sandbox/calls/${id}/hangup`, { body: {} });
  }

  private repeat(everyMs: number, work: (n: number) => Promise<void>): void {
    const loop = async () => {
      for (let n = this.first; !this.stopped; n++) {
        await work(n);
        await pause(everyMs);
      }
    };
    this.loops.push(loop());
  }

  /** Null: it failed, which is written down. */
  private async ask(path: string, init: Parameters<typeof request>[2]) {
    this.requests += 1;
    const from = performance.now();
    const answer = await request(this.url, path, init, patienceMs).catch((error: unknown) => error);
    this.slowestMs = Math.max(this.slowestMs, performance.now() - from);
    if (answer && typeof answer === 'object' && 'status' in answer && Number(answer.status) < 300)
      return answer as Awaited<ReturnType<typeof request>>;
    const why =
      answer instanceof Error
        ? `${answer.message} ${String(answer.cause ?? '')}`
        : JSON.stringify(answer).slice(0, 200);
    if (!this.mayFail) this.failed.push(`${path} ${why}`);
    return null;
  }

  /** Stops asking, waits until all is handled, and compares. */
  async end(): Promise<LoadAudit> {
    this.stopped = true;
    await Promise.all(this.loops);
    const until = performance.now() + settleMs;
    let found = await this.compare();
    const isOpen = () =>
      found.lostTexts.length + found.lostContacts.length + found.unfinished.length + found.missed >
      0;
    while (isOpen() && performance.now() < until) {
      await pause(500);
      found = await this.compare();
    }
    for (const listener of this.listeners) listener.close();
    return found;
  }

  private async compare(): Promise<LoadAudit> {
    const { db } = this;
    const counted = async (text: string): Promise<Map<string, number>> =>
      new Map(
        (await db.rows<{ what: string; n: number }>(text)).map(({ what, n }) => [what, n] as const),
      );
    const contacts = await counted(
      `select number what, count(*)::int n from contact where number like '+19292%' group by 1`,
    );
    const inbox = await counted(`select text what, count(*)::int n from conversation_item
      where is_inbound and text like 'in-%' group by 1`);
    const carrier = await counted(`select body what, count(*)::int n from sandbox.text
      where outgoing and body like 'out-%' group by 1`);
    const calls = await db.rows<{ party: string; n: number; finished: boolean }>(
      `select party, count(*)::int n, bool_and(ended_at is not null) finished from call
        where party = any($1) and started_at > now() - interval '1 hour' group by party`,
      [this.calls],
    );
    const published = await db.rows<{ seq: number }>(
      `select seq::float8 seq from outbox where seq > $1 and company_id =
        (select company_id from number where number = $2) and event = any($3)`,
      [this.firstSeq, OUR_NUMBER, await heardEvents()],
    );
    const twice = (seen: Map<string, number>) =>
      [...seen].flatMap(([what, n]) => (n > 1 ? [what] : []));
    const recorded = new Map(calls.map((one) => [one.party, one]));
    return {
      requests: this.requests,
      slowestMs: this.slowestMs,
      failed: this.failed,
      lostContacts: this.contacts.filter((one) => !contacts.has(one)),
      doubleContacts: twice(contacts),
      lostTexts: [
        ...this.textsIn.filter((text) => !inbox.has(text)),
        ...this.textsOut.filter((text) => !carrier.has(text)),
      ],
      doubleTexts: [...twice(inbox), ...twice(carrier)],
      events: published.length,
      missed: this.listeners
        .map(({ heard }) => published.filter(({ seq }) => !heard.has(seq)).length)
        .reduce((sum, n) => sum + n, 0),
      resyncs: this.listeners.reduce((sum, { resyncs }) => sum + resyncs, 0),
      connections: this.listeners.reduce((sum, one) => sum + one.connections, 0),
      calls: this.calls.length,
      dropped: this.dropped,
      unfinished: this.calls.filter((party) => !recorded.get(party)?.finished),
    };
  }
}

/** Names of the events that go to the channels of a company. */
async function heardEvents(): Promise<string[]> {
  const { eventByName } = await import('../contract/src/index.ts');
  return [...eventByName.values()].flatMap(({ name, channel }) =>
    channels.some((one) => one === channel) ? [name] : [],
  );
}
