import {
  bulkAtOnce,
  contactsBulkCompleted,
  contactsBulkMoved,
  contactsChanged,
  contactsHave,
  type ContactFilters,
} from '#contract/contacts';
import { isBlank } from '#contract/field-rules';
import { advanceBatch, beginBatch, presentBatch, readBatch } from '../../../platform/batches.ts';
import { audit } from '../../../platform/audit.ts';
import type { Http } from '../../../platform/answer.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { invalid, missing, refuse } from '../../../platform/refuse.ts';
import { fieldMeant, fieldsFor } from '../../fields/index.ts';
import { countFor } from '../groups/count-groups.ts';
import { deleteMembers, groupsById, insertMembers } from '../groups/store-groups.ts';
import { deleteUses, insertUses, labelsById } from '../labels/store-labels.ts';
import { masked } from '../present.ts';
import { resolveFilter } from '../resolve-filter.ts';
import { customId } from '../rules.ts';
import { markDeleted, markRestored } from '../store.ts';
import { idsAfter, livingAmong } from '../store-lists.ts';
import { takeTurn } from '../store-many.ts';
import { changedBy, keepPart, takePart } from './store-bulk.ts';

export const bulkKind = 'contacts.bulk';
export type BulkAction = 'destroy' | 'group' | 'ungroup' | 'label' | 'unlabel';
export interface Which {
  contacts?: readonly number[] | undefined;
  all?: boolean | undefined;
  filters?: ContactFilters | undefined;
}
interface Input {
  action: BulkAction;
  target: number;
  contacts: readonly number[] | null;
  filters: ContactFilters;
  masked: boolean;
  until: string;
}
type Done = {
  data: { batchId: string; status: 'finished' | 'queued'; total: number; changed: number };
};

const said = {
  destroy: 'deleted',
  group: 'grouped',
  ungroup: 'ungrouped',
  label: 'labelled',
  unlabel: 'unlabelled',
} as const;
const back = {
  destroy: 'restored',
  group: 'ungrouped',
  ungroup: 'grouped',
  label: 'unlabelled',
  unlabel: 'labelled',
} as const;

/** One step of an action; answers whom it changed. */
function act(
  ctx: TxCtx,
  action: BulkAction,
  target: number,
  ids: readonly number[],
): Promise<number[]> {
  switch (action) {
    case 'destroy':
      return markDeleted(ctx.tx, ctx.companyId, ids, ctx.now, ctx.actor.userId || null).then(
        (rows) => rows.map((r) => r.id),
      );
    case 'group':
      return insertMembers(ctx.tx, ctx.companyId, target, ids, ctx.now);
    case 'ungroup':
      return deleteMembers(ctx.tx, ctx.companyId, target, ids);
    case 'label':
      return insertUses(ctx.tx, ctx.companyId, target, ids, ctx.now);
    case 'unlabel':
      return deleteUses(ctx.tx, ctx.companyId, target, ids);
  }
}
async function takeBack(
  ctx: TxCtx,
  action: BulkAction,
  target: number,
  ids: readonly number[],
): Promise<number> {
  const opposite = {
    group: 'ungroup',
    ungroup: 'group',
    label: 'unlabel',
    unlabel: 'label',
  } as const;
  if (action !== 'destroy') {
    const alive =
      action === 'ungroup' || action === 'unlabel'
        ? await livingAmong(ctx.tx, ctx.companyId, ids)
        : ids;
    return (await act(ctx, opposite[action], target, alive)).length;
  }
  const rows = await markRestored(ctx.tx, ctx.companyId, ids);
  if (rows.length)
    await ctx.say(contactsHave, { rows: rows.map((r) => ({ contactId: r.id, number: r.number })) });
  return rows.length;
}

/**
 * Do one thing to a list of contacts, or to all that fit the filters (A §5). Up to a thousand at once; more as a job that goes
 * through them by id, a thousand a step, and touches nobody who came after it began. Whom it changed is kept, so it can be undone.
 */
export async function doToMany(
  ctx: TxCtx,
  action: BulkAction,
  target: number,
  which: Which,
  http: Http,
): Promise<Done> {
  const listed = which.all
    ? null
    : [...new Set(which.contacts ?? invalid({ contacts: 'Choose contacts, or all of them.' }))];
  const filters = which.filters ?? {};
  const total = listed ? listed.length : (await countFor(ctx, filters)).total;
  const input: Input = {
    action,
    target,
    contacts: listed,
    filters,
    masked: masked(ctx),
    until: ctx.now.toISOString(),
  };
  const batchId = await beginBatch(ctx, { kind: bulkKind, input, total });
  await audit(ctx, `contacts.${action}`, `batch:${batchId}`, {
    after: { target, total, filters: listed ? undefined : filters },
  });
  if (total > bulkAtOnce) {
    await ctx.enqueue(
      'contacts.bulkStep',
      { batchId, from: 0, after: 0 },
      { queue: `contacts-${ctx.companyId}` },
    );
    void http.reply.code(202);
    return { data: { batchId, status: 'queued', total, changed: 0 } };
  }
  await takeTurn(ctx.tx, ctx.companyId);
  const ids = listed
    ? await livingAmong(ctx.tx, ctx.companyId, listed)
    : await idsAfter(ctx.tx, filters, await resolveFilter(ctx, filters), {
        after: 0,
        madeBefore: ctx.now,
        limit: bulkAtOnce,
      });
  const changed = await act(ctx, action, target, ids);
  await keepPart(ctx.tx, ctx.companyId, batchId, 0, changed, ctx.now);
  await advanceBatch(ctx.tx, ctx.companyId, batchId, { from: 0, processed: total }, ctx.now);
  if (changed.length)
    await ctx.say(contactsChanged, { what: said[action], count: changed.length, batchId });
  return { data: { batchId, status: 'finished', total, changed: changed.length } };
}

/** Thrown to take a step back that a twin of this job has done already. */
class DoneBefore extends Error {}

/** What a running job needs and somebody deleted meanwhile, as its field and why the rest was left out; null: all is there. */
async function whatIsGone(
  t: TxCtx,
  { action, target, filters }: Input,
): Promise<{ field: string; message: string } | null> {
  const groups = new Set(
    (
      await groupsById(t.tx, t.companyId, [
        ...(action === 'group' || action === 'ungroup' ? [target] : []),
        ...(filters.groupId ? [filters.groupId] : []),
      ])
    ).map((g) => g.id),
  );
  const labels = new Set(
    (
      await labelsById(t.tx, t.companyId, [
        ...(action === 'label' || action === 'unlabel' ? [target] : []),
        ...(filters.labelId ? [filters.labelId] : []),
      ])
    ).map((l) => l.id),
  );
  const said = (what: string, field: string) => ({
    field,
    message: `The ${what} was deleted while this ran. The remaining contacts were not changed.`,
  });
  if ((action === 'group' || action === 'ungroup') && !groups.has(target))
    return said('group', 'group');
  if ((action === 'label' || action === 'unlabel') && !labels.has(target))
    return said('label', 'label');
  if (filters.groupId && !groups.has(filters.groupId))
    return said('group of the filter', 'filters.groupId');
  if (filters.labelId && !labels.has(filters.labelId))
    return said('label of the filter', 'filters.labelId');
  const fields = await fieldsFor(t, 7);
  const eav = Object.entries(filters.eav ?? {}).find(
    ([name, value]) => !isBlank(value) && !fieldMeant(fields, name),
  );
  const asked = (filters.rule?.all ?? []).find((line) => {
    const id = customId(line.field);
    return id !== null && !fields.some((f) => f.id === id);
  });
  return eav || asked
    ? said('custom field of the filter', eav ? `filters.eav.${eav[0]}` : 'filters.rule')
    : null;
}

/** One step of a long one: a thousand contacts, then the next is queued in the same transaction. */
export async function bulkStep(
  ctx: Ctx,
  step: { batchId: string; from: number; after: number },
): Promise<void> {
  await ctx
    .transaction(async (t) => {
      const batch = await readBatch(t.tx, t.companyId, step.batchId, bulkKind);
      if (!batch || batch.finishedAt || batch.processed !== step.from) return;
      const input = batch.input as Input;
      await takeTurn(t.tx, t.companyId);
      const gone = await whatIsGone(t, input);
      if (gone) {
        // The rest is not done, and the job says why.
        const ended = await advanceBatch(
          t.tx,
          t.companyId,
          step.batchId,
          {
            from: step.from,
            processed: batch.total - step.from,
            failed: batch.total - step.from,
            errors: [{ row: step.from + 1, field: gone.field, message: gone.message }],
          },
          t.now,
        );
        if (ended)
          await t.say(contactsBulkCompleted, {
            batchId: step.batchId,
            progress: 100,
            processed: ended.processed,
            total: ended.total,
            failed: ended.failed,
          });
        return;
      }
      const ids = input.contacts
        ? await livingAmong(
            t.tx,
            t.companyId,
            [...input.contacts].sort((a, b) => a - b).slice(step.from, step.from + bulkAtOnce),
          )
        : await idsAfter(
            t.tx,
            input.filters,
            { ...(await resolveFilter(t, input.filters)), masked: input.masked },
            { after: step.after, madeBefore: new Date(input.until), limit: bulkAtOnce },
          );
      const changed = await act(
        { ...t, actor: { ...t.actor, userId: batch.createdBy ?? 0 } },
        input.action,
        input.target,
        ids,
      );
      await keepPart(t.tx, t.companyId, step.batchId, step.from / bulkAtOnce, changed, t.now);
      const last = input.contacts ? step.from + bulkAtOnce >= batch.total : ids.length < bulkAtOnce;
      const processed = last
        ? batch.total - step.from
        : Math.min(bulkAtOnce, batch.total - step.from);
      const after = await advanceBatch(
        t.tx,
        t.companyId,
        step.batchId,
        { from: step.from, processed },
        t.now,
      );
      if (!after) throw new DoneBefore();
      if (changed.length)
        await t.say(contactsChanged, {
          what: said[input.action],
          count: changed.length,
          batchId: step.batchId,
        });
      const news = {
        batchId: step.batchId,
        progress: presentBatch(after).progress,
        processed: after.processed,
        total: after.total,
        failed: 0,
      };
      await t.say(after.finishedAt ? contactsBulkCompleted : contactsBulkMoved, news);
      if (!after.finishedAt)
        await t.enqueue(
          'contacts.bulkStep',
          { batchId: step.batchId, from: step.from + processed, after: ids.at(-1) ?? step.after },
          { queue: `contacts-${t.companyId}` },
        );
    })
    .catch((error: unknown) => {
      if (!(error instanceof DoneBefore)) throw error;
    });
}

/** Take back what a bulk action did. More than one step of it goes on as a job. */
export async function undoBulk(ctx: TxCtx, batchId: string, http: Http): Promise<Done> {
  const batch = (await readBatch(ctx.tx, ctx.companyId, batchId, bulkKind)) ?? missing();
  const input = batch.input as Input;
  if (input.action === 'destroy' && ctx.may('contacts.bulk') === 'none') refuse('role.forbidden');
  if (!batch.finishedAt) refuse('bulk.running');
  const { changed, undone } = await changedBy(ctx.tx, ctx.companyId, batchId);
  if (changed === undone) refuse('bulk.undone');
  await audit(ctx, 'contacts.undone', `batch:${batchId}`, {
    after: { action: input.action, changed },
  });
  const many = changed - undone > bulkAtOnce;
  if (many)
    await ctx.enqueue('contacts.undoStep', { batchId }, { queue: `contacts-${ctx.companyId}` });
  else while (await undoPart(ctx, batchId, input));
  if (many) void http.reply.code(202);
  return {
    data: {
      batchId,
      status: many ? 'queued' : 'finished',
      total: changed - undone,
      changed: many ? 0 : changed - undone,
    },
  };
}
async function undoPart(ctx: TxCtx, batchId: string, input: Input): Promise<boolean> {
  await takeTurn(ctx.tx, ctx.companyId);
  const ids = await takePart(ctx.tx, ctx.companyId, batchId, ctx.now);
  if (!ids) return false;
  const count = await takeBack(ctx, input.action, input.target, ids);
  if (count) await ctx.say(contactsChanged, { what: back[input.action], count, batchId });
  return true;
}
export async function undoStep(ctx: Ctx, step: { batchId: string }): Promise<void> {
  await ctx.transaction(async (t) => {
    const batch = await readBatch(t.tx, t.companyId, step.batchId, bulkKind);
    if (batch && (await undoPart(t, step.batchId, batch.input as Input)))
      await t.enqueue(
        'contacts.undoStep',
        { batchId: step.batchId },
        { queue: `contacts-${t.companyId}` },
      );
  });
}

/** Those of a list that are alive, in the order of their ids. */
export const pickThem = (ctx: TxCtx, ids: readonly number[]): Promise<number[]> =>
  livingAmong(ctx.tx, ctx.companyId, [...new Set(ids)]);
