import { flows, type Answer } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { readNumber } from '../../numbers/index.ts';
import {
  liveFlow,
  userNames,
  parseStoredFlow,
  shownFlow,
  shownWithReferences,
  teamsOfFlows,
} from './stored-flow.ts';
import { draftRow, lastVersion, versionRow, versionsPage, type VersionRow } from './store.ts';

/** The number; `not_found` when the user may not see it. */
export async function visibleNumber(ctx: TxCtx, numberId: number) {
  if (ctx.numbers !== null && !ctx.numbers.includes(numberId)) notFound();
  return (await readNumber(ctx.tx, ctx.companyId, numberId)) ?? notFound();
}

/**
 * A number's published call flow and its draft (null: none), both also in sentences. `not_found`
 * when the user may not see the number.
 */
export async function getFlow(ctx: TxCtx, numberId: number): Promise<Answer<typeof flows.getFlow>> {
  await visibleNumber(ctx, numberId);
  const people = await userNames(ctx);
  const live = shownFlow(await liveFlow(ctx, numberId));
  const last = await lastVersion(ctx.tx, ctx.companyId, numberId);
  const draft = await draftRow(ctx.tx, ctx.companyId, numberId);
  const kept = draft && (await shownWithReferences(ctx, parseStoredFlow(draft.flow)));
  const teams = await teamsOfFlows(ctx, kept ? [live, kept] : [live]);
  return {
    data: {
      number_id: numberId,
      people,
      teams: Object.fromEntries(
        [...teams].map(([id, { name, userIds }]) => [
          id,
          { name, user_ids: userIds.filter((userId) => people[userId] !== undefined) },
        ]),
      ),
      published: {
        ...live,
        version: last?.version ?? 0,
        summary: last?.summary ?? '',
        published_at: last ? new Date(last.published_at).toISOString() : null,
        published_by: last?.published_by_name ?? null,
        sentences: flows.flowSentences(live, people),
      },
      draft:
        draft && kept
          ? {
              ...kept,
              revision: draft.revision,
              based_on: draft.based_on,
              edited_by: draft.edited_by_name,
              edited_by_id: draft.edited_by,
              edited_at: new Date(draft.edited_at).toISOString(),
              changes: flows.flowChanges(live, kept, people),
            }
          : null,
    },
  };
}

const presentVersion = (row: Omit<VersionRow, 'flow'>): flows.FlowVersion => ({
  version: row.version,
  kind: row.kind as flows.FlowVersion['kind'],
  summary: row.summary,
  published_at: new Date(row.published_at).toISOString(),
  published_by: row.published_by_name,
  restored_from: row.restored_from,
});

/**
 * A page of a number's published versions, newest first. `next_cursor` is null on the last page.
 */
export async function listFlowVersions(
  ctx: TxCtx,
  numberId: number,
  query: { perPage: number; page: number; cursor?: string | undefined },
) {
  await visibleNumber(ctx, numberId);
  const before =
    query.cursor === undefined || !/^\d{1,9}$/.test(query.cursor) ? null : Number(query.cursor);
  const { rows, total } = await versionsPage(ctx.tx, ctx.companyId, numberId, {
    limit: query.perPage,
    before,
    offset: (query.page - 1) * query.perPage,
  });
  const last = rows.at(-1);
  return {
    rows: rows.map(presentVersion),
    total,
    meta: {
      next_cursor:
        last && rows.length === query.perPage && last.version > 1 ? String(last.version) : null,
    },
  };
}

/** One published version, also in sentences; `not_found` when there is none. */
export async function getFlowVersion(
  ctx: TxCtx,
  numberId: number,
  version: number,
): Promise<Answer<typeof flows.getFlowVersion>> {
  await visibleNumber(ctx, numberId);
  const row = (await versionRow(ctx.tx, ctx.companyId, numberId, version)) ?? notFound();
  const flow = await shownWithReferences(ctx, parseStoredFlow(row.flow));
  return {
    data: {
      ...presentVersion(row),
      ...flow,
      sentences: flows.flowSentences(flow, await userNames(ctx)),
    },
  };
}
