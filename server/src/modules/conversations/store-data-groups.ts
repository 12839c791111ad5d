import { sql, type RawBuilder } from 'kysely';

/**
 * Whether the item `i` belongs to one of these data groups of the company's organization: the
 * company, the number, its tracking pool, who acted, or a tag of the call is in one of them. A group
 * of another organization holds nothing here, by row-level security too.
 */
export function inDataGroups(
  companyId: number,
  groupIds: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const held = (type: string) => sql`select d.entity_id from data_group_entity d
    where d.organization_id = (select organization_id from company where id = ${companyId})
      and d.group_id = any(${groupIds}) and d.type = ${type}`;
  return sql`(${companyId} in (${held('company')})
    or i.number_id in (${held('number')})
    or i.number_id in (select p.number_id from tracking_pool_number p
      where p.company_id = ${companyId} and p.pool_id in (${held('dniPool')}))
    or coalesce(i.actor_id in (${held('user')}), false)
    or i.kind in ('call', 'voicemail') and (i.details ->> 'callId')::bigint in
      (select t.call_id from call_tag t
        where t.company_id = ${companyId} and t.tag_id in (${held('tag')})))`;
}
