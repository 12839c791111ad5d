import type { ContactRule } from '#contract/contacts/schemas';
import type { Group } from '#contract/contacts/groups/schemas';
import { systemGroups } from '#contract/contacts/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { firstOf, mustBe } from '../../../platform/must-be.ts';
import { countGroups } from './count-groups.ts';
import type { GroupRow } from './store-groups.ts';

/** Groups as the API returns them, with the contacts each has now. */
export async function presentGroups(ctx: TxCtx, rows: readonly GroupRow[]): Promise<Group[]> {
  const counts = await countGroups(ctx, rows);
  return rows.map((g) => {
    const { total, invalid, unsubscribed } = mustBe(counts.get(g.id), 'counts of the group');
    return {
      id: g.id,
      name: g.name,
      companyId: g.company_id,
      createdAt: g.created_at.toISOString(),
      updatedAt: g.updated_at.toISOString(),
      deletedAt: g.deleted_at?.toISOString() ?? null,
      contactCount: total,
      activeCount: total - invalid - unsubscribed,
      invalidCount: invalid,
      unsubscriberCount: unsubscribed,
      virtual: g.rule !== null,
      rule: g.rule as ContactRule | null,
      system: systemGroups.find((s) => s === g.system) ?? null,
      userId: g.user_id,
      link: `/api/groups/${g.id}`,
      contactsLink: `/api/contacts?companyId=${g.company_id}&groupId=${g.id}`,
    };
  });
}
/** One group as a response. */
export const groupAnswer = async (ctx: TxCtx, row: GroupRow): Promise<{ data: Group }> => ({
  data: firstOf(await presentGroups(ctx, [row])),
});
