import { randomUUID } from 'node:crypto';
import { standingBack, systemCtx, type House, type Said } from '../../platform/context.ts';
import type { Life } from '../../platform/life.ts';
import { claimBatch } from './claim-batch.ts';
import { handOver, makeSlots } from './hand-over.ts';
import { askUnknown, recoverClaims } from './recover-claims.ts';
import { makeSettler } from './settle.ts';
import { dueCampaigns } from './store.ts';
import { endPulse, pulse } from './store-batches.ts';

export interface DispatchOptions {
  lanes?: number;
  most?: number;
  slots?: number;
  unthrottled?: boolean;
  /** For tests that look after crashes by themselves. */ recover?: boolean;
  /** The sign by which others know that this process died. */ life?: Life;
}
/** Without a pulse for so long a worker hands nothing over any more: soon others will look into its claims; sooner when its sign of life is lost, too. */
const pulseLostMs = 5000;
const lifeLostMs = 2000;
const idleMs = 300;
const recoverEveryMs = 1000;

/**
 * The worker's dispatcher: campaigns whose time has come take turns, company by company, so that a large one holds nobody up. It is
 * no job of the queue: a worker that starts goes on at once with whatever any worker left behind.
 */
export function startDispatch(
  inFront: House,
  said: Said,
  o: DispatchOptions = {},
): { stop(): Promise<void> } {
  const house = standingBack(inFront);
  const me = randomUUID();
  const settler = makeSettler(house, said);
  const slots = makeSlots(o.slots ?? 96);
  let stopped = false;
  const asleep = new Set<() => void>();
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const up = () => {
        clearTimeout(timer);
        asleep.delete(up);
        resolve();
      };
      const timer = setTimeout(up, ms);
      asleep.add(up);
    });
  const wake = () => {
    for (const up of [...asleep]) up();
  };
  let pulsedAt = -Infinity;
  const beat = async () => {
    try {
      await pulse(inFront.db.directory, me, o.life?.id ?? null);
      pulsedAt = performance.now();
    } catch {
      /* the database is away, and so is the pulse */
    }
  };
  const mayGo = () =>
    performance.now() - pulsedAt < (o.life && !o.life.held() ? lifeLostMs : pulseLostMs);
  const beating = setInterval(() => void beat(), 1000);

  let due: { companyId: number; id: number }[] = [];
  let looking: Promise<void> | null = null;
  /** When the next one's time comes, as far as was seen. */
  let nextAt = Infinity;
  const busy = new Map<number, number>();
  const claiming = new Set<number>();
  const flights = new Set<Promise<unknown>>();
  const look = async () => {
    const now = house.now();
    nextAt = Infinity;
    const soon = await dueCampaigns(house.db.directory, new Date(now.getTime() + idleMs), 200);
    due = inTurn(soon.filter((c) => c.at <= now));
    nextAt = soon.find((c) => c.at > now)?.at.getTime() ?? Infinity;
  };
  const next = async () => {
    if (!due.length) {
      looking ??= look().finally(() => {
        looking = null;
      });
      await looking;
    }
    // Two lanes a campaign: one claims while the other hands over. Two that claim would only wait for each other.
    const at = due.findIndex((c) => !claiming.has(c.id) && (busy.get(c.id) ?? 0) < 2);
    return at < 0 ? null : due.splice(at, 1)[0]!;
  };
  const lane = async () => {
    while (!stopped) {
      const c = mayGo() ? await next().catch(() => null) : null;
      if (!c) {
        due = [];
        await sleep(Math.max(5, Math.min(idleMs, nextAt - house.now().getTime())));
        continue;
      }
      busy.set(c.id, (busy.get(c.id) ?? 0) + 1);
      claiming.add(c.id);
      try {
        const batch = await systemCtx(house, c.companyId, said, 'campaign')
          .transaction((t) =>
            claimBatch(t, c.id, {
              by: me,
              most: o.most ?? 500,
              ...(o.unthrottled ? { unthrottled: true } : {}),
            }),
          )
          .finally(() => claiming.delete(c.id));
        if (batch) {
          if (o.unthrottled) wake();
          const { answered } = await handOver(house, said, batch, { settler, slots, mayGo });
          const flight = answered.finally(() => flights.delete(flight));
          flights.add(flight);
        }
      } catch (error) {
        if (!stopped)
          house.log.warn({ err: error, campaignId: c.id }, 'a campaign missed its turn');
        await sleep(idleMs);
      } finally {
        const left = busy.get(c.id)! - 1;
        if (left) busy.set(c.id, left);
        else busy.delete(c.id);
      }
    }
  };
  const recovering = (async () => {
    await beat();
    while (!stopped && o.recover !== false) {
      if (mayGo())
        await recoverClaims(house, said)
          .then(() => askUnknown(house, said))
          .catch((error: unknown) => {
            if (!stopped) house.log.warn({ err: error }, 'claims could not be looked into');
          });
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, recoverEveryMs);
        endRecover = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  })();
  let endRecover: () => void = () => {};
  const lanes = Array.from({ length: o.lanes ?? 3 }, lane);
  return {
    stop: async () => {
      stopped = true;
      wake();
      endRecover();
      await Promise.all(lanes);
      await Promise.race([
        Promise.all(flights).then(() => settler.idle()),
        new Promise((resolve) => setTimeout(resolve, 12_000).unref()),
      ]);
      await recovering;
      clearInterval(beating);
      await endPulse(inFront.db.directory, me).catch(() => {});
    },
  };
}

/** One campaign of each company, then the second of each: nobody stands behind a company with many. */
export function inTurn(
  due: readonly { companyId: number; id: number }[],
): { companyId: number; id: number }[] {
  const nth = new Map<number, number>();
  return due
    .map((c, at) => {
      const n = nth.get(c.companyId) ?? 0;
      nth.set(c.companyId, n + 1);
      return { c, n, at };
    })
    .sort((a, b) => a.n - b.n || a.at - b.at)
    .map(({ c }) => c);
}
