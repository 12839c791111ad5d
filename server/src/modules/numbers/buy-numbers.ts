import { randomUUID } from 'node:crypto';
import {
  formatPhone,
  normalizePhone,
  numbers as contract,
  type Answer,
  type Body,
} from '#contract';
import { entityOf } from '#contract/field-rules';
import type { Http } from '../../platform/answer.ts';
import { audit } from '../../platform/audit.ts';
import { beginBatch } from '../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { invalid, refuse } from '../../platform/refuse.ts';
import { tagsNamed, valuesOf } from '../fields/index.ts';
import { newNumbers, orderNumber, type Ordered, type Wish } from './order-numbers.ts';
import { presentView } from './present.ts';
import { usualLimit } from './rules.ts';
import {
  activateNumber,
  claimNumber,
  dropClaims,
  lockLimit,
  numberViews,
  purchaseRows,
  replaceTags,
  usedNumbers,
} from './store.ts';
import { applyTemplate, mustBeTemplate } from './templates/apply-template.ts';
import { noteNumberEvent } from './timeline/note-event.ts';
import { routeNew } from './route-new.ts';
import { myHolds } from './store-holds.ts';

type Wanted = Body<typeof contract.buyNumbers>;
/** What the bulk job is told. */
export interface BulkPurchase {
  wishes: Wish[];
  label: string;
  tags: string[];
  buyer: number;
  templateId?: number | null;
}

interface Claimed {
  id: number;
  number: string;
  providerId: number;
}

/** Buy numbers: all or none up to 20, a job above (A6.2). */
export async function buyNumbers(
  ctx: Ctx,
  body: Wanted,
  http: Pick<Http, 'reply'>,
): Promise<Answer<typeof contract.buyNumbers>> {
  const wishes = await wishesOf(ctx, body);
  const order = {
    label: body.label ?? '',
    tags: body.tags ?? [],
    templateId: body.template_id ?? null,
  };
  if (order.templateId) await ctx.transaction((t) => mustBeTemplate(t, order.templateId));
  if (wishes.length > contract.purchaseAtOnce) {
    const batchId = await ctx.transaction((t) =>
      beginBulkPurchase(t, { wishes, ...order, buyer: ctx.actor.userId }),
    );
    void http.reply.code(202);
    return { data: { batchId, status: 'queued' } };
  }
  const key = randomUUID();
  const claimed = await ctx.transaction((t) => claimAll(t, wishes, key, order));
  // The carrier is rung without a transaction; should we die meanwhile, `numbers.tidyPurchase` gives everything back.
  const answers = await Promise.all(
    claimed.map(({ number, providerId }) => orderNumber(ctx, number, key, providerId)),
  );
  if (answers.some((a) => a.state !== 'ordered')) return giveUp(ctx, claimed, answers);
  return ctx.transaction(async (t) => {
    for (const [i, { id, number }] of claimed.entries()) {
      const answer = answers[i] as Ordered & { state: 'ordered' };
      // No longer waiting: the purchase took so long that it was tidied away.
      if (!(await activateNumber(t.tx, t.companyId, id, answer.providerRef, answer.found, t.now)))
        refuse('carrier.unreachable');
      await tellPurchased(t, {
        id,
        number,
        label: order.label,
        buyer: ctx.actor.userId,
        templateId: order.templateId,
      });
    }
    const values = await valuesOf(
      t,
      entityOf.number,
      claimed.map((c) => c.id),
    );
    return {
      data: (
        await numberViews(
          t.tx,
          t.companyId,
          claimed.map((c) => c.id),
        )
      ).map((row) => presentView(row, t.now, [], values.get(row.id))),
    };
  });
}

export async function tellPurchased(
  t: TxCtx,
  n: {
    id: number;
    number: string;
    label: string;
    buyer: number | null;
    templateId?: number | null;
    copyOf?: number;
    how?: 'ported_in';
    reason?: string;
  },
): Promise<void> {
  const summary = n.reason
    ? n.reason
    : n.how === 'ported_in'
      ? 'Ported in from another carrier'
      : n.copyOf
        ? 'Bought to take another number’s place'
        : 'Bought';
  await noteNumberEvent(t, n.id, {
    type: n.how ?? 'purchased',
    summary,
    after: { number: n.number, label: n.label },
    source: 'purchased',
  });
  if (n.templateId) await applyTemplate(t, n.id, n.templateId, { bought: true });
  await audit(t, 'number.purchased', `number:${n.id}`, {
    after: { number: n.number, label: n.label },
  });
  await routeNew(t, n.id, { templateId: n.templateId ?? null, copyOf: n.copyOf ?? null });
  await t.say(
    contract.numberPurchased,
    {
      companyId: t.companyId,
      numberId: n.id,
      number: n.number,
      label: n.label,
      templateId: n.templateId ?? null,
      by: n.buyer || null,
      copyOf: n.copyOf ?? null,
    },
    { numberId: n.id },
  );
}

/** Reservations and typed numbers as wishes, each number once. A typed number that was found before keeps what was found. */
async function wishesOf(ctx: Ctx, body: Wanted): Promise<Wish[]> {
  const typed = [...new Set(body.numbers)];
  const foreign = typed.find((number) => !number.startsWith('+1'));
  if (foreign)
    invalid({
      numbers: `${foreign} cannot be bought here: only numbers of the United States and Canada.`,
    });
  const holds = await ctx.db.system((tx) =>
    myHolds(
      tx,
      { companyId: ctx.companyId, userId: ctx.actor.userId, now: ctx.now },
      { ids: body.reservationIds, numbers: typed },
    ),
  );
  const reserved = body.reservationIds.map(
    (id) =>
      holds.find((hold) => hold.id === id)?.number ??
      invalid({ reservationIds: 'A reservation has run out. Search again.' }),
  );
  return [...new Set([...typed, ...reserved])].map((number) => {
    const hold = holds.find((h) => h.number === number);
    const really = hold?.category ?? contract.categoryOf(number);
    // Fax and bulk are uses of a number that was found in no category yet; toll-free and local it is by its digits.
    const wrong =
      body.category !== undefined &&
      body.category !== really &&
      (hold !== undefined || body.category <= 2);
    if (wrong)
      invalid({
        category: `${formatPhone(number)} belongs to “${contract.numberCategories[really]}”. Leave the category out, or choose a number of it.`,
      });
    return hold
      ? { number, category: hold.category, found: hold.found }
      : {
          number: normalizePhone(number) ?? number,
          category: body.category ?? contract.categoryOf(number),
          found: null,
        };
  });
}

/** Take all of them, or refuse with the ones still free. */
async function claimAll(
  t: TxCtx,
  wishes: readonly Wish[],
  key: string,
  order: { label: string; tags: readonly string[] },
): Promise<Claimed[]> {
  await checkLimit(t, wishes.length);
  const tags = order.tags.length ? (await tagsNamed(t, order.tags)).map((tag) => tag.id) : [];
  const rows = await newNumbers(t, wishes, {
    key,
    label: order.label,
    buyer: t.actor.userId || null,
    status: 'pending',
  });
  const claimed: Claimed[] = [];
  const taken: string[] = [];
  // In one order for everyone: two buyers who want the same numbers cannot wait for each other.
  for (const row of rows.sort((a, b) => (a.number < b.number ? -1 : 1))) {
    const id = await claimNumber(t.tx, t.companyId, row, t.actor.userId);
    if (id === null) taken.push(row.number);
    else {
      claimed.push({ id, number: row.number, providerId: row.found!.providerId });
      await replaceTags(t.tx, t.companyId, id, tags);
    }
  }
  if (taken.length) refuse('numbers.taken', {}, { taken, free: claimed.map((c) => c.number) });
  await t.enqueue(
    'numbers.tidyPurchase',
    { key },
    { runAt: new Date(t.now.getTime() + 5 * 60_000) },
  );
  return claimed;
}

async function checkLimit(t: TxCtx, more: number): Promise<void> {
  const limit = await lockLimit(t.tx, t.companyId, usualLimit);
  const used = await usedNumbers(t.tx, t.companyId);
  if (used + more > limit) refuse('numbers.limit', { limit, used }, { limit, used });
}

/** The carrier had less than was wanted: give back what it gave, and say what is free. */
async function giveUp(
  ctx: Ctx,
  claimed: readonly Claimed[],
  answers: readonly Ordered[],
): Promise<never> {
  await returnOrders(
    ctx,
    claimed.filter(
      (_, i) => answers[i]!.state === 'ordered' || answers[i]!.state === 'unreachable',
    ),
  );
  await ctx.transaction((t) => dropClaims(t.tx, t.companyId, claimed));
  const refused = answers.find((a) => a.state === 'refused');
  if (refused) refuse('carrier.refused', { reason: refused.reason });
  const taken = claimed.filter((_, i) => answers[i]!.state === 'taken').map((c) => c.number);
  if (!taken.length) refuse('carrier.unreachable');
  return refuse(
    'numbers.taken',
    {},
    { taken, free: claimed.filter((_, i) => answers[i]!.state === 'ordered').map((c) => c.number) },
  );
}
async function returnOrders(ctx: Ctx, numbers: readonly Claimed[]): Promise<void> {
  for (const { number, providerId } of numbers)
    await ctx.ports.numbers.giveBack(number, providerId).catch((error: unknown) => {
      ctx.log.error(
        { err: error, number },
        'a number of a failed purchase could not be given back',
      );
    });
}

/** A purchase that never ended (the process died between claim and carrier): nothing of it stays. Boring when it did end. */
export async function tidyPurchase(ctx: Ctx, { key }: { key: string }): Promise<void> {
  const left = (await ctx.transaction((t) => purchaseRows(t.tx, t.companyId, key))).filter(
    (row) => row.status === 'pending',
  );
  for (const { number, provider_id } of left) await ctx.ports.numbers.giveBack(number, provider_id);
  if (left.length) await ctx.transaction((t) => dropClaims(t.tx, t.companyId, left));
}

async function beginBulkPurchase(t: TxCtx, purchase: BulkPurchase): Promise<string> {
  await checkLimit(t, purchase.wishes.length);
  if (purchase.tags.length) await tagsNamed(t, purchase.tags); // the buyer may make new ones, the job may not decide that
  const batchId = await beginBatch(t, {
    kind: 'bulk-purchase',
    input: purchase,
    total: purchase.wishes.length,
  });
  await t.enqueue('numbers.buyInBulk', { batchId });
  return batchId;
}
