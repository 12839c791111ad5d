import { systemCtx, type Ctx, type House, type Said } from '../../platform/context.ts';
import type { DeliveryReport } from '../../ports/messaging.ts';
import { claimLimits, keyOf, mostQuestions } from './rules.ts';
import { askedOnce, lostAnswers, orphans, settleOrphaned, type InDoubt } from './store-batches.ts';
import { moveLines, type Result } from './store-ledger.ts';
import { letWait } from './store-lines.ts';
import { fileSoon } from './tell.ts';

type Found = { providerId: string; state: DeliveryReport['state'] } | null | 'away';
const found = (
  line: InDoubt,
  f: { providerId: string; state: DeliveryReport['state'] },
): Result => ({
  id: line.id,
  state: f.state === 'sent' ? 'handed' : f.state,
  providerId: f.providerId,
  code: null,
  text: null,
  passing: false,
  batchId: line.batch_id,
  credits: line.credits,
});

/**
 * Claims whose worker died: the carrier is asked by key. It has the text: handed. It never heard of it and promises one text a
 * key: the line waits again, under the same key. It never heard of it and promises nothing: `unknown`, and nobody sends it again.
 */
export async function recoverClaims(house: House, said: Said): Promise<number> {
  const lines = await orphans(house.db.directory, claimLimits);
  await each(house, said, lines, async (ctx, line, answer) => {
    if (answer === 'away') return;
    const guarantees = ctx.ports.carriers.messaging(line.carrier).guaranteesKey;
    await ctx.transaction(async (t) => {
      if (answer) await moveLines(t.tx, t.companyId, [found(line, answer)], t.now);
      else if (guarantees)
        await letWait(t.tx, t.companyId, line.campaign_id, line.batch_id, [line.id]);
      else
        await moveLines(
          t.tx,
          t.companyId,
          [
            {
              id: line.id,
              state: 'unknown',
              providerId: null,
              code: 'unknown',
              text: 'The worker stopped while sending.',
              passing: false,
              batchId: line.batch_id,
              credits: line.credits,
            },
          ],
          t.now,
        );
      await fileSoon(t, line.campaign_id);
    });
  });
  await settleOrphaned(house.db.directory, claimLimits);
  return lines.length;
}

/** Lost answers: only asked about, ever more seldom. Nothing is sent. */
export async function askUnknown(house: House, said: Said): Promise<number> {
  return each(
    house,
    said,
    await lostAnswers(house.db.directory, mostQuestions),
    async (ctx, line, answer) => {
      await ctx.transaction(async (t) => {
        if (answer && answer !== 'away')
          await moveLines(t.tx, t.companyId, [found(line, answer)], t.now);
        else await askedOnce(t.tx, t.companyId, [line.id]);
        if (answer && answer !== 'away' && line.item_id)
          await t.enqueue('campaigns.moveTexts', { campaignId: line.campaign_id, ids: [line.id] });
      });
    },
  );
}

/** Ask about some lines, ten at a time; one that cannot be asked is asked another time. */
async function each(
  house: House,
  said: Said,
  lines: readonly InDoubt[],
  then: (ctx: Ctx, line: InDoubt, answer: Found) => Promise<void>,
): Promise<number> {
  const queue = [...lines];
  await Promise.all(
    Array.from({ length: Math.min(10, queue.length) }, async () => {
      for (let line = queue.shift(); line; line = queue.shift()) {
        const ctx = systemCtx(house, line.company_id, said, 'campaign');
        const ask = async (): Promise<Found> =>
          house.ports.carriers.messaging(line!.carrier).askByKey(keyOf(line!, line!.text_version));
        const answer = await withLimit(ask()).catch((): Found => 'away');
        await then(ctx, line, answer).catch((error: unknown) => {
          house.log.warn({ err: error, line: line!.id }, 'a claim could not be looked into');
        });
      }
    }),
  );
  return lines.length;
}
const withLimit = (asked: Promise<Found>): Promise<Found> => {
  let timer: NodeJS.Timeout | undefined;
  return Promise.race([
    asked,
    new Promise<Found>((resolve) => {
      timer = setTimeout(() => resolve('away'), 10_000);
    }),
  ]).finally(() => clearTimeout(timer));
};
