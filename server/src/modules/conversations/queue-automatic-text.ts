import { Counter } from 'prom-client';
import type { AutomaticKind } from '#contract/conversations/rules';
import type { TxCtx } from '../../platform/context.ts';
import { undecidedNumbers } from '../compliance/index.ts';
import { queueText, type OutboundText } from './queue-text.ts';
import { automaticTextsTo, lockAutomaticTexts } from './store-automatic.ts';

/** Whatever the settings say: two machines that answer each other stop here. */
export const automaticTextLimit = { texts: 5, minutes: 10 } as const;

const withheldTexts = new Counter({
  name: 'automatic_texts_withheld_total',
  help: 'Automatic texts that were not sent, by reason',
  labelNames: ['reason', 'kind'],
});

/** Answers to what someone just typed. */
const confirmations: readonly AutomaticKind[] = ['stop', 'start', 'help'];

/**
 * Queues a text that no person wrote; the only way to do so. Not beyond `automaticTextLimit` for one
 * phone, and not while someone has to decide whether its owner opted out. The confirmation of an
 * opt-out always goes: it is once per change. Null: it doesn't go, or was queued before.
 */
export async function queueAutomaticText(
  t: TxCtx,
  text: OutboundText & { automatic: AutomaticKind },
): Promise<Awaited<ReturnType<typeof queueText>>> {
  const reason = text.automatic === 'stop' ? null : await withheldReason(t, text);
  if (!reason) return queueText(t, text);
  withheldTexts.inc({ reason, kind: text.automatic });
  t.log.info(
    { companyId: t.companyId, numberId: text.numberId, reason, kind: text.automatic },
    'an automatic text is not sent',
  );
  return null;
}

async function withheldReason(
  t: TxCtx,
  { party, automatic }: { party: string; automatic: AutomaticKind },
): Promise<'limit' | 'possible_opt_out' | null> {
  // Confirmations are queued where the conversation is locked already: another lock after it could
  // deadlock with a job that takes them the other way around.
  const isConfirmation = confirmations.includes(automatic);
  if (!isConfirmation) await lockAutomaticTexts(t.tx, t.companyId, party);
  const since = new Date(t.now.getTime() - automaticTextLimit.minutes * 60_000);
  if ((await automaticTextsTo(t.tx, t.companyId, party, since)) >= automaticTextLimit.texts)
    return 'limit';
  if (isConfirmation) return null;
  return (await undecidedNumbers(t.tx, t.companyId, [party])).has(party)
    ? 'possible_opt_out'
    : null;
}
