import { tracking as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, invalid, notFound } from '../../../platform/errors.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { isUsablePattern } from '../classification/company-rules.ts';
import { knownSystemSources } from '../classification/system-sources.ts';
import { poolsOfSource } from '../pools/store.ts';
import { listSources } from './list-sources.ts';
import { sourceKey, storedRules } from './rules.ts';
import {
  deleteSourceRow,
  insertSource,
  lockSources,
  sourceRows,
  updateSourceRow,
  type SourceRow,
} from './store.ts';

/** Adds a source after the company's others. Fails with `source.exists`, or 422 per field. */
export async function createSource(
  ctx: TxCtx,
  body: Body<typeof contract.createSource>,
): Promise<Answer<typeof contract.createSource>> {
  await lockSources(ctx.tx, ctx.companyId);
  const others = await sourceRows(ctx.tx, ctx.companyId);
  const max = contract.sourceLimits.sources;
  if (others.length >= max)
    invalid({ label: `At most ${max} sources. Delete one that you no longer need.` });
  requireFreeLabel(body.label, others);
  requireUsablePatterns(body.rules);
  const id = await insertSource(
    ctx.tx,
    ctx.companyId,
    {
      key: sourceKey(body.label, new Set(others.map(({ key }) => key))),
      label: body.label,
      kind: body.kind,
      source_group: body.group,
      position: Math.max(0, ...others.map(({ position }) => position)) + 1,
      created_by: ctx.actor.userId || null,
    },
    ctx.now,
  );
  const { rules, lastRule } = storedRules({ id, rules: [], last_rule: 0 }, body.rules);
  await updateSourceRow(ctx.tx, ctx.companyId, id, {
    rules: JSON.stringify(rules),
    last_rule: lastRule,
  });
  await audit(ctx, 'tracking_source.added', `tracking_source:${id}`, {
    after: { ...body, rules },
  });
  return presentChanged(ctx, id);
}

/** Changes a source; what is left out stays. Fails with 404, `source.exists`, or 422 per field. */
export async function updateSource(
  ctx: TxCtx,
  id: number,
  body: Body<typeof contract.updateSource>,
): Promise<Answer<typeof contract.updateSource>> {
  await lockSources(ctx.tx, ctx.companyId);
  const all = await sourceRows(ctx.tx, ctx.companyId);
  const before = all.find((row) => row.id === id) ?? notFound();
  if (body.label !== undefined)
    requireFreeLabel(
      body.label,
      all.filter((row) => row !== before),
    );
  if (body.rules) requireUsablePatterns(body.rules);
  const stored = body.rules && storedRules(before, body.rules);
  await updateSourceRow(ctx.tx, ctx.companyId, id, {
    ...(body.label !== undefined && { label: body.label }),
    ...(body.kind && { kind: body.kind }),
    ...(body.group && { source_group: body.group }),
    ...(stored && { rules: JSON.stringify(stored.rules), last_rule: stored.lastRule }),
    updated_at: ctx.now,
  });
  const { label, kind, source_group: group } = before;
  await audit(ctx, 'tracking_source.changed', `tracking_source:${id}`, {
    before: { label, kind, group, rules: before.rules },
    after: { label, kind, group, ...body, rules: stored?.rules ?? before.rules },
  });
  return presentChanged(ctx, id);
}

/** Changes the order of the company's own sources. 422 unless all of them are named once. */
export async function orderSources(
  ctx: TxCtx,
  sourceIds: readonly number[],
): Promise<Answer<typeof contract.orderSources>> {
  await lockSources(ctx.tx, ctx.companyId);
  const all = await sourceRows(ctx.tx, ctx.companyId);
  const known = new Set(all.map(({ id }) => id));
  if (sourceIds.some((id) => !known.has(id))) notFound();
  if (new Set(sourceIds).size !== sourceIds.length || sourceIds.length !== all.length)
    invalid({ sourceIds: 'Name each of your own sources once.' });
  for (const [index, id] of sourceIds.entries())
    await updateSourceRow(ctx.tx, ctx.companyId, id, { position: index + 1 });
  await audit(ctx, 'tracking_source.ordered', `company:${ctx.companyId}`, {
    before: all.map(({ label }) => label),
    after: sourceIds.map((id) => all.find((row) => row.id === id)?.label),
  });
  await ctx.publish(contract.sourcesChanged, {
    companyId: ctx.companyId,
    sourceIds: [...sourceIds],
  });
  return listSources(ctx);
}

/** Deletes a source of the company. Fails with 404, or `source.in_use` while a pool is for it. */
export async function deleteSource(ctx: TxCtx, id: number): Promise<void> {
  await lockSources(ctx.tx, ctx.companyId);
  const all = await sourceRows(ctx.tx, ctx.companyId);
  const row = all.find((one) => one.id === id) ?? notFound();
  const pools = await poolsOfSource(ctx.tx, ctx.companyId, id);
  if (pools.length) fail('source.in_use', { pools: pools.join(', ') });
  await deleteSourceRow(ctx.tx, ctx.companyId, id);
  await audit(ctx, 'tracking_source.deleted', `tracking_source:${id}`, {
    before: { label: row.label, kind: row.kind, group: row.source_group, rules: row.rules },
  });
  await ctx.publish(contract.sourcesChanged, { companyId: ctx.companyId, sourceIds: [id] });
}

function requireFreeLabel(label: string, others: readonly SourceRow[]): void {
  const taken = [...others, ...knownSystemSources].some(
    (one) => one.label.toLowerCase() === label.toLowerCase(),
  );
  if (taken) fail('source.exists');
}

function requireUsablePatterns(rules: readonly contract.SourceRuleIn[]): void {
  for (const [index, rule] of rules.entries())
    if (rule.on === 'url' && rule.match === 'regex' && !isUsablePattern(rule.value))
      invalid({
        [`rules.${index}.value`]:
          'This pattern can’t be used. Look-ahead, look-behind and back references don’t work here.',
      });
}

async function presentChanged(ctx: TxCtx, id: number): Promise<{ data: contract.Source }> {
  await ctx.publish(contract.sourcesChanged, { companyId: ctx.companyId, sourceIds: [id] });
  const { data } = await listSources(ctx);
  return {
    data: mustBe(
      data.find((one) => one.id === id),
      'the source that was just stored',
    ),
  };
}
