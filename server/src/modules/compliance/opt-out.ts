import { contactOptedIn, contactOptedOut, type optOutSources } from '#contract/compliance';
import type { TxCtx } from '../../platform/context.ts';
import { keywordOf } from './rules.ts';
import { deleteOptOut, holdLedger, insertOptOut, optOutOf, writeHistory } from './store.ts';

type Source = (typeof optOutSources)[number];
interface Asked { number: string; source: Source; numberId: number | null; proof: string | null }

/** Nobody in the company texts this number from now on. True when that was not so before; the history notes it either way. */
export async function optOut(ctx: TxCtx, asked: Asked): Promise<boolean> {
  await holdLedger(ctx.tx, ctx.companyId, asked.number, 'to_change');
  const fresh = await insertOptOut(ctx.tx, { company_id: ctx.companyId, number: asked.number, source: asked.source, number_id: asked.numberId, opted_out_at: ctx.now });
  await note(ctx, asked, 'out');
  if (fresh) await ctx.say(contactOptedOut, { number: asked.number, numberId: asked.numberId, source: asked.source, at: ctx.now.toISOString() });
  return fresh;
}

/** Texting is allowed again. True when it was not allowed before. */
export async function optIn(ctx: TxCtx, asked: Asked): Promise<boolean> {
  await holdLedger(ctx.tx, ctx.companyId, asked.number, 'to_change');
  const lifted = await deleteOptOut(ctx.tx, ctx.companyId, asked.number);
  if (!lifted) return false;
  await note(ctx, asked, 'in');
  await ctx.say(contactOptedIn, { number: asked.number, numberId: asked.numberId, source: asked.source, at: ctx.now.toISOString() });
  return true;
}

/**
 * What an incoming text asks for, done in the caller's transaction. `reply` names the one confirmation to send; a second
 * STOP gets none, and START or YES from somebody who never opted out is an ordinary text. `answered`: the carrier took it for this
 * word and answered it itself, so that ours would be a second answer.
 */
export async function hearKeyword(ctx: TxCtx, text: { from: string; numberId: number; text: string; answered?: 'stop' | 'start' | 'help' | undefined }): Promise<{ word: 'stop' | 'start' | 'help'; reply: boolean } | null> {
  const word = text.answered ?? keywordOf(text.text);
  const open = text.answered === undefined;
  if (!word) return null;
  if (word === 'help') return { word, reply: open };
  const asked: Asked = { number: text.from, source: 'keyword', numberId: text.numberId, proof: text.text };
  if (word === 'stop') return { word, reply: (await optOut(ctx, asked)) && open };
  return (await optOutOf(ctx.tx, ctx.companyId, text.from)) && (await optIn(ctx, asked)) ? { word, reply: open } : null;
}

const note = (ctx: TxCtx, a: Asked, action: 'out' | 'in') =>
  writeHistory(ctx.tx, { company_id: ctx.companyId, number: a.number, action, source: a.source, number_id: a.numberId, proof: a.proof?.slice(0, 500) ?? null, actor_id: ctx.actor.userId || null, at: ctx.now });
