import type { Answer, Body } from '#contract';
import { blockAdded } from '#contract/compliance/events';
import type { addBlock as endpoint } from '#contract/compliance/endpoints';
import { partyName } from '#contract/party';
import type { TxCtx } from '../../platform/context.ts';
import { audit } from '../../platform/audit.ts';
import { invalid, notFound, fail } from '../../platform/errors.ts';
import { firstOf } from '../../platform/must-be.ts';
import { presentBlocks } from './present.ts';
import { blockTarget } from './rules.ts';
import { insertBlock, isOwnNumber, numberExists, type BlockRow } from './store.ts';

/**
 * Adds a block rule or exception. Throws role.forbidden for a platform-wide rule of anyone but
 * staff, block.own_number for one of the company's own numbers, and block.exists.
 */
export async function addBlock(
  ctx: TxCtx,
  body: Body<typeof endpoint>,
): Promise<Answer<typeof endpoint>> {
  const target =
    blockTarget(await ctx.contactDetails.numberOf(ctx, body.target)) ??
    invalid({
      target:
        'Enter a phone number, short code or sender name, “anonymous”, or a prefix with at least an area code, such as +1900*.',
    });
  if (body.global && ctx.role !== 'platform') fail('role.forbidden');
  if (body.action === 1 && (await isOwnNumber(ctx.tx, ctx.companyId, target)))
    fail('block.own_number', { number: formatTarget(target) });
  if (body.number_id && !(await numberExists(ctx.tx, ctx.companyId, body.number_id))) notFound();
  const row = await createBlock(ctx, {
    target,
    action: body.action,
    everywhere: body.global,
    numberId: body.number_id ?? null,
  });
  if (!row) fail('block.exists', { number: formatTarget(target) });
  return { data: firstOf(await presentBlocks(ctx, [row])) };
}

/**
 * Inserts one rule and publishes it; `undefined` if the same rule exists. An actor limited to some
 * numbers can only add rules for those numbers.
 */
export async function createBlock(
  ctx: TxCtx,
  rule: { target: string; action: 0 | 1; everywhere: boolean; numberId: number | null },
): Promise<BlockRow | undefined> {
  if (ctx.numbers && (rule.numberId === null || !ctx.numbers.includes(rule.numberId)))
    fail('role.forbidden');
  const row = await insertBlock(ctx.tx, {
    company_id: ctx.companyId,
    target: rule.target,
    action: rule.action,
    everywhere: rule.everywhere,
    number_id: rule.numberId,
    created_by: ctx.actor.userId || null,
    created_by_name: ctx.actor.name || null,
    created_at: ctx.now,
  });
  if (!row) return undefined;
  await audit(ctx, 'block.added', `block:${row.id}`, {
    after: {
      target: row.target,
      action: row.action,
      number_id: row.number_id,
      global: row.everywhere,
    },
  });
  await ctx.publish(
    blockAdded,
    blockEventData(ctx, row),
    row.number_id === null ? {} : { numberId: row.number_id },
  );
  return row;
}

/** The payload of the events block.added and block.removed. */
export const blockEventData = (ctx: TxCtx, row: BlockRow) => ({
  blockId: row.id,
  target: row.target,
  action: row.action as 0 | 1,
  numberId: row.number_id,
  global: row.everywhere,
  byUserId: ctx.actor.userId || null,
  byName: ctx.actor.name,
});
const formatTarget = (target: string) =>
  target.endsWith('*') ? target : partyName(target, 'Withheld numbers');
