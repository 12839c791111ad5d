import { systemCtx, type Ctx, type Services, type OutboxNotifier } from '../../platform/context.ts';
import type { DeliveryReport } from '../../gateways/messaging.ts';
import { claimSeconds, idempotencyKeyOf, maxStatusChecks } from './rules.ts';
import {
  countStatusCheck,
  unknownRecipients,
  orphanedRecipients,
  markOrphanedSettled,
  type UncertainRecipient,
} from './store-batches.ts';
import { advanceRecipients, type RecipientResult } from './store-recipients.ts';
import { requeueClaimed } from './store-requeue.ts';
import { scheduleInboxSync } from './campaign-events.ts';

type CarrierAnswer = { providerId: string; state: DeliveryReport['state'] } | null | 'away';
const foundResult = (
  line: UncertainRecipient,
  f: { providerId: string; state: DeliveryReport['state'] },
): RecipientResult => ({
  id: line.id,
  state: f.state === 'sent' ? 'handed' : f.state,
  providerId: f.providerId,
  code: null,
  text: null,
  transient: false,
  batchId: line.batch_id,
  credits: line.credits,
});

/**
 * Claims whose worker died: the carrier is asked by key. It has the text: handed. It never heard of it and promises one text a
 * key: the line waits again, under the same key. It never heard of it and promises nothing: `unknown`, and nobody sends it again.
 */
export async function recoverOrphans(
  services: Services,
  notifier: OutboxNotifier,
): Promise<number> {
  const recipients = await orphanedRecipients(services.db.unscoped, claimSeconds);
  await checkEach(services, notifier, recipients, async (ctx, line, answer) => {
    if (answer === 'away') return;
    const guarantees = ctx.gateways.carriers.messaging(line.carrier).isIdempotent;
    await ctx.transaction(async (t) => {
      if (answer) await advanceRecipients(t.tx, t.companyId, [foundResult(line, answer)], t.now);
      else if (guarantees)
        await requeueClaimed(t.tx, t.companyId, line.campaign_id, line.batch_id, [line.id]);
      else
        await advanceRecipients(
          t.tx,
          t.companyId,
          [
            {
              id: line.id,
              state: 'unknown',
              providerId: null,
              code: 'unknown',
              text: 'The worker stopped while sending.',
              transient: false,
              batchId: line.batch_id,
              credits: line.credits,
            },
          ],
          t.now,
        );
      await scheduleInboxSync(t, line.campaign_id);
    });
  });
  await markOrphanedSettled(services.db.unscoped, claimSeconds);
  return recipients.length;
}

/** Lost answers: only asked about, ever more seldom. Nothing is sent. */
export async function checkUnknown(services: Services, notifier: OutboxNotifier): Promise<number> {
  return checkEach(
    services,
    notifier,
    await unknownRecipients(services.db.unscoped, maxStatusChecks),
    async (ctx, line, answer) => {
      await ctx.transaction(async (t) => {
        if (answer && answer !== 'away')
          await advanceRecipients(t.tx, t.companyId, [foundResult(line, answer)], t.now);
        else await countStatusCheck(t.tx, t.companyId, [line.id]);
        if (answer && answer !== 'away' && line.item_id)
          await t.enqueue('campaigns.moveInboxItems', {
            campaignId: line.campaign_id,
            ids: [line.id],
          });
      });
    },
  );
}

/** Ask about some lines, ten at a time; one that cannot be asked is asked another time. */
async function checkEach(
  services: Services,
  notifier: OutboxNotifier,
  recipients: readonly UncertainRecipient[],
  handle: (ctx: Ctx, line: UncertainRecipient, answer: CarrierAnswer) => Promise<void>,
): Promise<number> {
  const queue = [...recipients];
  await Promise.all(
    Array.from({ length: Math.min(10, queue.length) }, async () => {
      for (let line = queue.shift(); line; line = queue.shift()) {
        const ctx = systemCtx(services, line.company_id, notifier, 'campaign');
        const ask = async (): Promise<CarrierAnswer> =>
          services.gateways.carriers
            .messaging(line!.carrier)
            .findByKey(idempotencyKeyOf(line!, line!.text_version));
        const answer = await withTimeout(ask()).catch((): CarrierAnswer => 'away');
        await handle(ctx, line, answer).catch((error: unknown) => {
          services.log.warn(
            { err: error, line: line!.id },
            'an orphaned claim could not be checked',
          );
        });
      }
    }),
  );
  return recipients.length;
}
const withTimeout = (query: Promise<CarrierAnswer>): Promise<CarrierAnswer> => {
  let timer: NodeJS.Timeout | undefined;
  return Promise.race([
    query,
    new Promise<CarrierAnswer>((resolve) => {
      timer = setTimeout(() => resolve('away'), 10_000);
    }),
  ]).finally(() => clearTimeout(timer));
};
