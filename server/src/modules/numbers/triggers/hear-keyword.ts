import { triggers as contract, formatPhone } from '#contract';
import { placeOfNumber } from '#contract/area-codes';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { queueMail } from '../../../platform/mail.ts';
import { companyRow, unmutedAddresses } from '../../companies/index.ts';
import { numberRecord } from '../store.ts';
import type { ReplyFile } from './present.ts';
import { quietUntil, ruleFor } from './rules.ts';
import { activeTriggers, keepProof, takeTurn, triggerRow } from './store.ts';

/** Which rule each of these texts wakes; one question for all of them. */
export async function triggersHeard<T extends { numberId: number; text: string }>(
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
    const rule = ruleFor(
      rules.filter((one) => one.number_id === text.numberId),
      text.text,
    );
    return rule ? [{ text, triggerId: rule.id }] : [];
  });
}

export interface KeywordAnswer {
  text: string;
  media: ReplyFile[];
  /** Marketing at night: not before then. */ notBefore: Date | null;
}
/**
 * A rule heard its word from somebody who may be texted: once per cooldown it says so (groups, labels, people) and gives the
 * answer to send. Null: it is quiet (cooldown, switched off meanwhile), or has nothing to send.
 */
export async function answerOfTrigger(
  ctx: TxCtx,
  heard: { triggerId: number; party: string; text: string; conversationId: number | null },
): Promise<KeywordAnswer | null> {
  const rule = await triggerRow(ctx.tx, ctx.companyId, heard.triggerId);
  const number = rule && (await numberRecord(ctx.tx, ctx.companyId, rule.number_id));
  if (
    !rule?.active ||
    !number ||
    !(await takeTurn(ctx.tx, ctx.companyId, rule, heard.party, ctx.now))
  )
    return null;
  if (rule.set_optin)
    await keepProof(ctx.tx, ctx.companyId, {
      party: heard.party,
      number_id: number.id,
      trigger_id: rule.id,
      keyword: rule.keyword,
      text: heard.text.slice(0, 2000),
      at: ctx.now,
    });
  const replied = rule.reply_text !== null || (rule.reply_media as ReplyFile[]).length > 0;
  await ctx.say(
    contract.keywordHeard,
    {
      companyId: ctx.companyId,
      numberId: number.id,
      number: number.number,
      triggerId: rule.id,
      keyword: rule.keyword,
      party: heard.party,
      text: heard.text.slice(0, 2000),
      groupIds: rule.group_ids,
      labelIds: rule.label_ids,
      setOptin: rule.set_optin,
      replied,
      notifyUserIds: rule.notify_user_ids,
      at: ctx.now.toISOString(),
    },
    { numberId: number.id },
  );
  for (const userId of rule.notify_user_ids)
    await ctx.say(
      contract.keywordNews,
      {
        companyId: ctx.companyId,
        numberId: number.id,
        number: number.number,
        keyword: rule.keyword,
        party: heard.party,
        text: heard.text.slice(0, 300),
        conversationId: heard.conversationId,
      },
      { userId },
    );
  for (const to of await unmutedAddresses(ctx, number.id, 'message', rule.notify_emails))
    await ctx.enqueue('numbers.mailKeyword', {
      to,
      keyword: rule.keyword,
      party: heard.party,
      number: number.number,
      label: number.label,
      text: heard.text.slice(0, 2000),
      key: `keyword:${rule.id}:${heard.party}:${ctx.now.getTime()}`,
    });
  if (!replied) return null;
  return {
    text: rule.reply_text ?? '',
    media: rule.reply_media as ReplyFile[],
    notBefore: rule.marketing
      ? quietUntil(ctx.now, placeOfNumber(heard.party)?.timezone ?? null)
      : null,
  };
}

/** Tell somebody by e-mail. The key makes a second run boring. */
export async function mailKeyword(
  ctx: Ctx,
  news: {
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
  const from = news.party.startsWith('+') ? formatPhone(news.party) : news.party;
  const ours = news.label || formatPhone(news.number);
  const text = `${from} texted ${news.keyword} to ${ours} (${company?.name ?? ''}):\n\n${news.text}`;
  const escape = (raw: string) => raw.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
  await queueMail(ctx, {
    to: news.to,
    subject: `${news.keyword}: ${from} texted ${ours}`,
    text,
    html: `<p>${escape(text).replaceAll('\n', '<br>')}</p>`,
    key: `${news.key}:${news.to}`,
  });
}
