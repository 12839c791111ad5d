import { triggers as contract, formatPhone } from '#contract';
import { placeOfNumber } from '#contract/area-codes';
import { partyName } from '#contract/party';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { queueMail } from '../../../platform/mail.ts';
import { companyRow, unmutedAddresses } from '../../companies/index.ts';
import { numberRecord, type NumberRecord } from '../store.ts';
import type { ReplyFile } from './present.ts';
import { quietUntil, bestRule } from './rules.ts';
import { activeTriggers, insertOptInProof, claimTriggerCooldown, triggerRow } from './store.ts';
import { mailKeywordJob } from '../job-kinds.ts';

/**
 * Finds the keyword rule that each text matches, with one query for all. Texts without a match are
 * left out.
 */
export async function matchTriggers<T extends { numberId: number; text: string }>(
  ctx: Pick<TxCtx, 'tx' | 'companyId' | 'now'>,
  texts: readonly T[],
): Promise<{ text: T; triggerId: number }[]> {
  if (texts.length === 0) return [];
  const rules = await activeTriggers(
    ctx.tx,
    ctx.companyId,
    [...new Set(texts.map((text) => text.numberId))],
    ctx.now,
  );
  if (rules.length === 0) return [];
  return texts.flatMap((text) => {
    const rule = bestRule(
      rules.filter((one) => one.number_id === text.numberId),
      text.text,
    );
    return rule ? [{ text, triggerId: rule.id }] : [];
  });
}

/** The reply that a matched rule sends. */
interface KeywordReply {
  text: string;
  media: ReplyFile[];
  /** A marketing reply may not be sent earlier; null: send now. */
  notBefore: Date | null;
}
interface KeywordMessage {
  triggerId: number;
  party: string;
  text: string;
  conversationId: number | null;
}
type KeywordTrigger = NonNullable<Awaited<ReturnType<typeof triggerRow>>>;

/**
 * Runs a matched rule: stores proof of opt-in, publishes the match, notifies people and returns the
 * reply to send. Call it only for people who may be texted. Null: the rule was turned off, is in
 * its cooldown for this party, or has no reply.
 */
export async function fireTrigger(
  ctx: TxCtx,
  message: KeywordMessage,
): Promise<KeywordReply | null> {
  const rule = await triggerRow(ctx.tx, ctx.companyId, message.triggerId);
  const number = rule && (await numberRecord(ctx.tx, ctx.companyId, rule.number_id));
  if (
    !rule?.active ||
    !number ||
    !(await claimTriggerCooldown(ctx.tx, ctx.companyId, rule, message.party, ctx.now))
  )
    return null;
  if (rule.set_optin)
    await insertOptInProof(ctx.tx, ctx.companyId, {
      party: message.party,
      number_id: number.id,
      trigger_id: rule.id,
      keyword: rule.keyword,
      text: message.text.slice(0, 2000),
      at: ctx.now,
    });
  const replied = rule.reply_text !== null || (rule.reply_media as ReplyFile[]).length > 0;
  await publishMatch(ctx, rule, number, message, replied);
  await notifyPeople(ctx, rule, number, message);
  if (!replied) return null;
  return {
    text: rule.reply_text ?? '',
    media: rule.reply_media as ReplyFile[],
    notBefore: rule.marketing
      ? quietUntil(ctx.now, placeOfNumber(message.party)?.timezone ?? null)
      : null,
  };
}

async function publishMatch(
  ctx: TxCtx,
  rule: KeywordTrigger,
  number: NumberRecord,
  message: KeywordMessage,
  replied: boolean,
): Promise<void> {
  await ctx.publish(
    contract.keywordMatched,
    {
      companyId: ctx.companyId,
      numberId: number.id,
      number: number.number,
      triggerId: rule.id,
      keyword: rule.keyword,
      party: message.party,
      text: message.text.slice(0, 2000),
      groupIds: rule.group_ids,
      labelIds: rule.label_ids,
      setOptin: rule.set_optin,
      replied,
      notifyUserIds: rule.notify_user_ids,
      at: ctx.now.toISOString(),
    },
    { numberId: number.id },
  );
}

/** Notifies the rule's users in the app and queues its emails. */
async function notifyPeople(
  ctx: TxCtx,
  rule: KeywordTrigger,
  number: NumberRecord,
  message: KeywordMessage,
): Promise<void> {
  for (const userId of rule.notify_user_ids)
    await ctx.publish(
      contract.keywordNotification,
      {
        companyId: ctx.companyId,
        numberId: number.id,
        number: number.number,
        keyword: rule.keyword,
        party: message.party,
        text: message.text.slice(0, 300),
        conversationId: message.conversationId,
      },
      { userId },
    );
  for (const to of await unmutedAddresses(ctx, number.id, 'message', rule.notify_emails))
    await ctx.enqueue(mailKeywordJob, {
      to,
      keyword: rule.keyword,
      party: message.party,
      number: number.number,
      label: number.label,
      text: message.text.slice(0, 2000),
      key: `keyword:${rule.id}:${message.party}:${ctx.now.getTime()}`,
    });
}

/** Job `numbers.mailKeyword`: emails about a match. The key prevents a second email on a retry. */
export async function mailKeyword(
  ctx: Ctx,
  mail: {
    to: string;
    keyword: string;
    party: string;
    number: string;
    label: string;
    text: string;
    key: string;
  },
): Promise<void> {
  const company = await ctx.transaction((t) => companyRow(t.tx, t.companyId));
  const from = partyName(mail.party);
  const ourName = mail.label || formatPhone(mail.number);
  const text = `${from} texted ${mail.keyword} to ${ourName} (${company?.name ?? ''}):\n\n${mail.text}`;
  const escape = (raw: string) => raw.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  await queueMail(ctx, {
    to: mail.to,
    subject: `${mail.keyword}: ${from} texted ${ourName}`,
    text,
    html: `<p>${escape(text).replaceAll('\n', '<br>')}</p>`,
    key: `${mail.key}:${mail.to}`,
  });
}
