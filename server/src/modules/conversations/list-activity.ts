import type { Body } from '#contract';
import type { PageAnswer } from '#contract';
import { activityKinds, type ActivityKind } from '#contract/conversations/rules';
import type { InboxItem } from '#contract/conversations/schemas';
import type { listActivity as said } from '#contract/conversations/endpoints';
import { entityOf } from '#contract/fields/rules';
import type { TxCtx } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { fieldFilter, valuesOf } from '../fields/index.ts';
import { presentInboxItems } from './present.ts';
import { readCursor, writeCursor } from './rules.ts';
import { callIdOfItem } from './store-activity.ts';
import { activityPage } from './store-activity-search.ts';

/**
 * What a role may see of each kind: calls and voicemails with the calls, messages and faxes with
 * the inbox (A4 rule 6).
 */
const permissionOfKind: Record<ActivityKind, 'calls.view' | 'inbox.view'> = {
  call: 'calls.view',
  voicemail: 'calls.view',
  message: 'inbox.view',
  fax: 'inbox.view',
};

/** The ID that the row's detail call accepts. */
const recordId = (row: InboxItem): number =>
  row.kind === 'call' ? row.details.callId : row.kind === 'fax' ? row.details.faxId : row.id;

/**
 * A page of activity across conversations, of the kinds that the role may see. Fails with a field
 * error for an unknown time zone.
 */
export async function listActivity(
  ctx: TxCtx,
  body: Body<typeof said>,
): Promise<PageAnswer<InboxItem>> {
  const flagged = activityKinds.filter((kind) => body[kind]);
  const requestedKinds = body.types?.length ? body.types : flagged.length ? flagged : activityKinds;
  const kinds = requestedKinds.filter((kind) => ctx.may(permissionOfKind[kind]) !== 'none');
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: body.tz });
  } catch {
    invalid({ tz: 'Choose a time zone from the list.' });
  }
  const page = await activityPage(
    ctx.tx,
    {
      companyId: ctx.companyId,
      hidden: ctx.contactDetails.hiddenFrom(ctx),
      sight: ctx.numbers,
      kinds,
      groups: body.groups,
      tz: body.tz,
      now: ctx.now,
      extraConditions: await fieldFilter(ctx, entityOf.call, body.eav, callIdOfItem),
    },
    { limit: body.perPage, offset: (body.page - 1) * body.perPage, after: readCursor(body.cursor) },
  );
  const last = page.rows.at(-1);
  const rows = await presentInboxItems(ctx, page.rows);
  const callOf = (row: InboxItem): number | null =>
    row.kind === 'call' || row.kind === 'voicemail' ? row.details.callId : null;
  const values = await valuesOf(ctx, entityOf.call, [
    ...new Set(rows.flatMap((row) => callOf(row) ?? [])),
  ]);
  return {
    rows: rows.map((row) => {
      const callId = callOf(row);
      return {
        ...row,
        id: recordId(row),
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
      ...(page.searchedSince && { searched_since: page.searchedSince.toISOString() }),
    },
  };
}
