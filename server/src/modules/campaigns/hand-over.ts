import { systemCtx, type Ctx, type House, type Said, type TxCtx } from '../../platform/context.ts';
import { CarrierNotConnected } from '../../ports/carrier.ts';
import type { OutgoingText, SendResult } from '../../ports/messaging.ts';
import { optedOutAmong } from '../compliance/index.ts';
import type { Batch, Claim } from './claim-batch.ts';
import { stillClaimed } from './store-batches.ts';
import { skipLines } from './store-ledger.ts';
import { letWait } from './store-lines.ts';
import { endClaims, type Settler } from './settle.ts';

/** An answer that takes longer is a lost one. */
const answerSeconds = 10;
/** Looked at together right before they leave. */
const chunk = 100;

export interface Slots {
  take(): Promise<void>;
  give(): void;
}
/** So many requests to carriers at once in this process; the others wait for one to end. */
export function makeSlots(many: number): Slots {
  let free = many;
  const waiting: (() => void)[] = [];
  return {
    take: () =>
      free > 0 ? (free--, Promise.resolve()) : new Promise<void>((go) => waiting.push(go)),
    give: () => {
      const next = waiting.shift();
      if (next) next();
      else free++;
    },
  };
}

/**
 * Hand claimed lines to the carrier, each once. Right before a few of them leave it is asked again who opted out and whether the
 * campaign still goes, and whether the lines are still ours; what must not leave goes back or is skipped. `mayGo`: this worker still has its pulse; one that lost it
 * hands nothing over, because others look into its claims by then. Resolves when all have left; `answered` when the carrier
 * answered all of them, or took too long.
 */
export async function handOver(
  house: House,
  said: Said,
  batch: Batch,
  tools: { settler: Settler; slots: Slots; mayGo: () => boolean },
): Promise<{ answered: Promise<unknown> }> {
  const asked: Promise<void>[] = [];
  const over = () => ({ answered: Promise.all(asked) });
  const ctx = systemCtx(house, batch.companyId, said, 'campaign');
  for (let i = 0; i < batch.claims.length; i += chunk) {
    const some = batch.claims.slice(i, i + chunk);
    if (!tools.mayGo()) return over(); // their claims are found and looked into
    const [{ going: goes, mine }, optedOut] = await Promise.all([
      stillClaimed(
        house.db.directory,
        batch.companyId,
        batch.campaignId,
        batch.id,
        some.map((c) => c.id),
      ),
      optedOutAmong(
        house.db.directory,
        batch.companyId,
        some.map((c) => c.text.to),
      ),
    ]);
    if (!goes) {
      await takeBack(ctx, batch, batch.claims.slice(i));
      return over();
    }
    const out = some.filter((c) => mine.has(c.id) && optedOut.has(c.text.to));
    if (out.length)
      await endUnasked(ctx, batch, out, (t) =>
        skipLines(
          t.tx,
          t.companyId,
          out.map((c) => ({ id: c.id, reason: 'unsubscribed' })),
        ),
      );
    const going = some.filter((c) => mine.has(c.id) && !optedOut.has(c.text.to));
    for (const claim of going) {
      await tools.slots.take();
      asked.push(
        ask(ctx, batch.carrier, claim.text, (late) =>
          tools.settler.settle(batch, claim, late),
        ).then((result) => {
          tools.slots.give();
          tools.settler.settle(batch, claim, result);
        }),
      );
    }
  }
  return over();
}

const takeBack = (ctx: Ctx, batch: Batch, claims: readonly Claim[]) =>
  endUnasked(ctx, batch, claims, (t) =>
    letWait(
      t.tx,
      t.companyId,
      batch.campaignId,
      batch.id,
      claims.map((c) => c.id),
    ),
  );

/** Some of a batch end without an answer. */
async function endUnasked(
  ctx: Ctx,
  batch: Batch,
  claims: readonly Claim[],
  write: (t: TxCtx) => Promise<unknown>,
): Promise<void> {
  await ctx.transaction(write);
  await endClaims(
    ctx,
    claims.map((claim) => ({ batch, claim })),
  );
}

/**
 * Never rejects: whatever goes wrong after asking is a lost answer, because the carrier may have taken the text. `late`: an
 * acceptance that came after the answer was given up.
 */
function ask(
  ctx: Ctx,
  carrier: string,
  text: OutgoingText,
  late: (result: SendResult) => void,
): Promise<SendResult> {
  return new Promise((resolve) => {
    let over = false;
    const timer = setTimeout(() => {
      over = true;
      resolve({ state: 'unknown', reason: `No answer for ${answerSeconds} seconds.` });
    }, answerSeconds * 1000);
    const answered = (result: SendResult): void => {
      clearTimeout(timer);
      if (!over) resolve(result);
      else if (result.state === 'accepted') late(result);
    };
    const failed = (error: unknown): void =>
      answered(
        error instanceof CarrierNotConnected
          ? { state: 'refused', code: 'carrier_away', reason: error.message, permanent: false }
          : { state: 'unknown', reason: String(error) },
      );
    try {
      ctx.ports.carriers.messaging(carrier).send(text).then(answered, failed);
    } catch (error) {
      failed(error);
    }
  });
}
