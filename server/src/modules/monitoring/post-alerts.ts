import { alertKinds, type AlertKind } from '#contract/monitoring/rules';
import type { Ctx } from '../../platform/context.ts';
import { companyRow } from '../companies/index.ts';
import { postNews } from '../integrations/index.ts';
import { alertsById } from './store.ts';

/**
 * Job: posts those of the alerts that are still open to a channel. Rejects where another try can help.
 * @param ctx outside a transaction
 */
export async function postAlerts(
  ctx: Ctx,
  { destinationId, alertIds }: { destinationId: number; alertIds: readonly number[] },
): Promise<void> {
  const { rows, company } = await ctx.transaction(async (t) => ({
    rows: (await alertsById(t.tx, t.companyId, alertIds)).filter(({ state }) => state === 'open'),
    company: (await companyRow(t.tx, t.companyId))?.name ?? '',
  }));
  const [first, ...more] = rows;
  if (!first) return;
  const titleOf = (kind: string): string => alertKinds[kind as AlertKind].title;
  const { publicUrl } = ctx.settings;
  await postNews(ctx, destinationId, {
    title: more.length
      ? `${company}: ${rows.length} new alerts`
      : `${company}: ${titleOf(first.kind)}`,
    lines: rows.map(({ kind, subject_label: label, message }) =>
      more.length ? `${titleOf(kind)} (${label}): ${message}` : `${label}: ${message}`,
    ),
    link: more.length
      ? { url: `${publicUrl}/monitoring`, text: 'Open alerts' }
      : { url: `${publicUrl}/monitoring?open=${ctx.companyId}-${first.id}`, text: 'Open alert' },
  });
}
