import type { TxCtx } from '../../../platform/context.ts';
import { groupsByNames, groupsOfIds } from '../groups/store-groups.ts';
import { groupsOfContacts } from '../groups/store-members.ts';
import { labelsByIds, labelsByNames, labelsOfContacts } from '../labels/store-labels.ts';

/** Group IDs by lower-case name; null: a group with a rule, which can't be joined. */
export const groupIdsByName = async (
  t: TxCtx,
  names: readonly string[],
): Promise<Map<string, number | null>> =>
  new Map(
    (await groupsByNames(t.tx, t.companyId, names)).map((group) => [
      group.name_key,
      group.rule === null ? group.id : null,
    ]),
  );
/** Label IDs by lower-case name. */
export const labelIdsByName = async (
  t: TxCtx,
  names: readonly string[],
): Promise<Map<string, number>> =>
  new Map(
    (await labelsByNames(t.tx, t.companyId, names)).map((label) => [label.label_key, label.id]),
  );

/** Those of these groups that exist and have no rule. */
export const listGroupsAmong = async (t: TxCtx, ids: readonly number[]): Promise<number[]> =>
  (await groupsOfIds(t.tx, t.companyId, ids))
    .filter((group) => group.rule === null)
    .map((group) => group.id);
/** Those of these labels that exist. */
export const labelsAmong = async (t: TxCtx, ids: readonly number[]): Promise<number[]> =>
  (await labelsByIds(t.tx, t.companyId, ids)).map((label) => label.id);

/** The names of the contacts' groups and labels, in order, by contact ID. */
export async function listNamesOfContacts(
  t: TxCtx,
  ids: readonly number[],
): Promise<{ groups: Map<number, string[]>; labels: Map<number, string[]> }> {
  const groups = await groupsOfContacts(t.tx, t.companyId, ids);
  const labels = await labelsOfContacts(t.tx, t.companyId, ids);
  return {
    groups: namesByContact(groups.map((group) => [group.contact_id, group.name])),
    labels: namesByContact(labels.map((label) => [label.contact_id, label.label])),
  };
}
function namesByContact(pairs: readonly (readonly [number, string])[]): Map<number, string[]> {
  const names = new Map<number, string[]>();
  for (const [contactId, name] of pairs) {
    const known = names.get(contactId);
    if (known) known.push(name);
    else names.set(contactId, [name]);
  }
  return names;
}
