import type { Body } from '#contract';
import type { PageAnswer } from '#contract';
import {
  activityKinds,
  type ActivityKind,
  type PlacedItem,
  type listActivity as said,
} from '#contract/conversations';
import { entityOf } from '#contract/field-rules';
import type { TxCtx } from '../../platform/context.ts';
import { invalid } from '../../platform/refuse.ts';
import { fieldFilter, valuesOf } from '../fields/index.ts';
import { presentPlaced } from './present.ts';
import { readCursor, writeCursor } from './rules.ts';
import { activityPage, callOfItem } from './store-activity.ts';

/** What a role may see of each kind: calls and voicemails with the calls, messages and faxes with the inbox (A4 rule 6). */
const needs: Record<ActivityKind, 'calls.view' | 'inbox.view'> = {
  call: 'calls.view',
  voicemail: 'calls.view',
  message: 'inbox.view',
  fax: 'inbox.view',
};

/** The id by which the row's own detail call knows it. */
const ownId = (row: PlacedItem): number =>
  row.kind === 'call' ? row.details.callId : row.kind === 'fax' ? row.details.faxId : row.id;

export async function listActivity(
  ctx: TxCtx,
  body: Body<typeof said>,
): Promise<PageAnswer<PlacedItem>> {
  const flagged = activityKinds.filter((kind) => body[kind]);
  const asked = body.types?.length ? body.types : flagged.length ? flagged : activityKinds;
  const kinds = asked.filter((kind) => ctx.may(needs[kind]) !== 'none');
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: body.tz });
  } catch {
    invalid({ tz: 'This time zone is not known.' });
  }
  const page = await activityPage(
    ctx.tx,
    {
      companyId: ctx.companyId,
      sight: ctx.numbers,
      kinds,
      groups: body.groups,
      tz: body.tz,
      also: await fieldFilter(ctx, entityOf.call, body.eav, callOfItem),
    },
    { limit: body.perPage, offset: (body.page - 1) * body.perPage, after: readCursor(body.cursor) },
  );
  const last = page.rows.at(-1);
  const rows = await presentPlaced(ctx, page.rows);
  const callOf = (row: PlacedItem): number | null =>
    row.kind === 'call' || row.kind === 'voicemail' ? row.details.callId : null;
  const values = await valuesOf(ctx, entityOf.call, [
    ...new Set(rows.flatMap((row) => callOf(row) ?? [])),
  ]);
  return {
    rows: rows.map((row) => {
      const callId = callOf(row);
      return {
        ...row,
        id: ownId(row),
        itemId: row.id,
        ...(callId === null ? {} : { eavAttributeValues: values.get(callId) ?? [] }),
      };
    }),
    total: page.total,
    meta: {
      next_cursor:
        last && page.rows.length === body.perPage ? writeCursor(last.created_at, last.id) : null,
      kinds,
      ...(page.capped ? { total_is_capped: true } : {}),
    },
  };
}
