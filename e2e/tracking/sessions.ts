import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../product.ts';
import { pace, type Shop, type Shops } from './shops.ts';
import type { WebProcesses } from './web-processes.ts';

const site = 'https://www.shop.example';
const target = '+12125550100';
const headers = {
  'content-type': 'application/json',
  origin: site,
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0',
};

/** What was seen; all but the first line must be 0. */
export interface Findings {
  sessions: number;
  answers: number;
  exhausted: number;
  shared: number;
  /** Requests whose process was killed before it answered. */
  cut: number;
  /** Requests that a process was too busy for; they are sent again. */
  refused: number;
  errors: number;
  foreignNumbers: number;
  /** Two visitors were told the same number for the same time. */
  toldTwice: number;
  storedTwice: number;
  /** A visit was told another number while it had one. */
  moved: number;
  strangersTooEarly: number;
  returnersMissed: number;
  exhaustedUncounted: number;
  leasesLost: number;
}
export const noFindings = (): Findings => ({
  ...{ sessions: 0, answers: 0, exhausted: 0, shared: 0, cut: 0, errors: 0, foreignNumbers: 0 },
  ...{
    refused: 0,
    toldTwice: 0,
    storedTwice: 0,
    moved: 0,
    strangersTooEarly: 0,
    returnersMissed: 0,
  },
  ...{ exhaustedUncounted: 0, leasesLost: 0 },
});

interface Opened {
  visitorId: string | null;
  sessionId: string | null;
  swaps: { number: string; expiresAt: string | null }[];
  heartbeat: number;
}
/** What a visit was told, in its company's time. */
interface Told {
  visitorId: string;
  sessionId: string;
  number: string;
  /** The lease began between these. */
  sentAt: number;
  answeredAt: number;
  until: number;
}

/** The visitors of one company's website, through several processes and its own time. */
export class Visitors {
  private readonly told: Told[] = [];
  private readonly visitors: string[] = [];
  private readonly random: () => number;
  private exhausted = 0;
  /** Of these, new visits: nothing changes what is stored of them. */
  private exhaustedAtOnce = 0;
  private cut = 0;

  constructor(
    private readonly shop: Shop,
    private readonly shops: Shops,
    private readonly processes: WebProcesses,
    private readonly findings: Findings,
    seed: number,
  ) {
    this.random = createRandom(seed);
  }

  /** So many visits in phases, time passing between them; then everything is checked. */
  async run(sessions: number): Promise<void> {
    const phases = 4;
    for (let phase = 0; phase < phases; phase++) {
      const steps = Array.from({ length: Math.ceil(sessions / phases) }, () => null);
      const worker = async (): Promise<void> => {
        while (steps.pop() !== undefined) await this.step();
      };
      await Promise.all(Array.from({ length: 6 }, worker));
      await this.shops.advance(this.shop, [1, 12, 35, 75][Math.floor(this.random() * 4)] ?? 1);
    }
    await this.checkReturners();
    await this.check();
  }

  /** A visit begins; then one of those that are there looks at a page, or is heard of. */
  private async step(): Promise<void> {
    const returning = this.random() < 0.25 ? this.pick(this.visitors) : undefined;
    await this.open({ visitorId: returning });
    const known = this.pick(this.told);
    if (!known) return;
    const what = this.random();
    if (what < 0.4) await this.heartbeat(known);
    else if (what < 0.7)
      await this.open({ sessionId: known.sessionId, visitorId: known.visitorId });
    else await this.send('pageview', { sessionId: known.sessionId, url: `${site}/${what}` });
  }

  private readonly pick = <T>(list: readonly T[]): T | undefined =>
    list[Math.floor(this.random() * list.length)];
  private readonly now = (): number => Date.now() + this.shop.aheadMs;

  private async open(from: { visitorId?: string | undefined; sessionId?: string }): Promise<void> {
    const sentAt = this.now();
    const { data } = (await this.send('session', {
      ...from,
      ...{ companyKey: this.shop.key, url: `${site}/`, targets: [target] },
    })) as { data: Opened };
    this.findings.sessions++;
    const { visitorId, sessionId, heartbeat } = data;
    const [swap] = data.swaps;
    if (!visitorId || !sessionId || !swap) return void this.findings.errors++;
    this.visitors.push(visitorId);
    const isOurs = [...this.shop.numbers, this.shop.defaultNumber].includes(swap.number);
    if (!isOurs) this.findings.foreignNumbers++;
    if (heartbeat === 0) {
      this.exhausted++;
      if (!from.sessionId) this.exhaustedAtOnce++;
      return;
    }
    const until = Date.parse(swap.expiresAt ?? '') + this.shop.aheadMs;
    const before = this.told.find((one) => one.sessionId === sessionId);
    if (!before) {
      this.told.push({
        ...{ visitorId, sessionId, number: swap.number, sentAt, answeredAt: this.now(), until },
      });
      return;
    }
    if (before.number === swap.number) before.until = Math.max(before.until, until);
    else if (before.until > this.now()) this.findings.moved++;
    else Object.assign(before, { number: swap.number, sentAt, answeredAt: this.now(), until });
  }

  private async heartbeat(known: Told): Promise<void> {
    const wasLive = known.until > this.now() + 1000;
    const { data } = (await this.send('heartbeat', { sessionId: known.sessionId })) as {
      data: { isLive: boolean; expiresAt: string | null };
    };
    if (data.isLive && data.expiresAt)
      known.until = Math.max(known.until, Date.parse(data.expiresAt) + this.shop.aheadMs);
    else if (wasLive && !this.shop.isShared) this.findings.leasesLost++;
  }

  /** Sends until a process answers: those that are killed meanwhile don't. */
  private async send(path: string, body: object): Promise<unknown> {
    for (let tries = 0; tries < 1200; tries++) {
      const url = this.pick(this.processes.urls());
      if (url) {
        try {
          const answer = await fetch(`${url}/api/dni/v1/${path}`, {
            ...{ method: 'POST', headers, body: JSON.stringify(body) },
          });
          const text = await answer.text();
          this.findings.answers++;
          if (answer.status < 400) return text ? JSON.parse(text) : {};
          if (answer.status === 503) {
            this.findings.refused++;
            this.cut++;
            await pause(100);
            continue;
          }
          this.findings.errors++;
          throw new Error(`${path} answered ${answer.status}: ${text}`);
        } catch (error) {
          if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error;
          this.cut++;
        }
      }
      await pause(100);
    }
    throw new Error('no process answers');
  }

  /**
   * After all visits, while every number rests: each visitor gets the one they had last, unless
   * another has it by now; a stranger gets none.
   */
  private async checkReturners(): Promise<void> {
    if (this.shop.isShared) return;
    await this.shops.advance(this.shop, pace.timeoutMinutes + 1);
    for (const visitorId of new Set(this.visitors.slice(-20))) {
      const last = await this.shops.lastNumber(this.shop, visitorId);
      const { cut } = this;
      const { data } = (await this.send('session', {
        ...{ visitorId, companyKey: this.shop.key, url: `${site}/`, targets: [target] },
      })) as { data: Opened };
      if (data.heartbeat === 0) {
        this.exhausted++;
        this.exhaustedAtOnce++;
      }
      // Of a request whose process was killed, the first try may have taken the number already.
      if (last?.is_free && cut === this.cut && data.swaps[0]?.number !== last.number)
        this.findings.returnersMissed++;
    }
  }

  private async check(): Promise<void> {
    const { shop, shops, findings } = this;
    findings.cut += this.cut;
    findings.exhausted += this.exhausted;
    if (!shop.isShared) this.checkTold();
    findings.storedTwice += await shops.doubled(shop);
    if (!shop.isShared) findings.strangersTooEarly += await shops.tooEarly(shop);
    const stored = await shops.outcomes(shop, 'exhausted');
    // One whose answer was cut off is stored and was not heard of.
    if (stored > this.exhausted + this.cut || stored < this.exhaustedAtOnce)
      findings.exhaustedUncounted++;
    findings.shared += await shops.outcomes(shop, 'shared');
    for (const one of this.told) {
      const stillUntil = await shops.leasedUntil(shop, one.number);
      if (stillUntil === null || stillUntil + shop.aheadMs < one.until - 1000)
        findings.leasesLost++;
    }
  }

  /** Two were told the same number for a time that is certain for both. */
  private checkTold(): void {
    for (const [i, a] of this.told.entries())
      for (const b of this.told.slice(i + 1)) {
        if (a.number !== b.number) continue;
        const [first, then] = a.answeredAt <= b.answeredAt ? [a, b] : [b, a];
        if (then.sentAt > first.answeredAt && then.answeredAt < first.until)
          this.findings.toldTwice++;
      }
  }
}
