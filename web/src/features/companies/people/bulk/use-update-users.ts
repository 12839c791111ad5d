import { useState } from 'react';
import { companies, users as contract, type Answer, type BodyIn } from '#contract';
import { api, confirm, invalidate, t, toast, useApiMutation, useCompanyId } from '#ui';
import { cache } from '../../../../shared/query-client.ts';

/** What is needed to know of a selected person. */
export interface SelectedUser {
  id: number;
  role: string;
  status: string;
}

type Results = Answer<typeof contract.updateManyUsers>['data'];
export type RefusedPerson = Results[number];
type Body = BodyIn<typeof contract.updateManyUsers>;
export type UserChange = Omit<Body, 'user_ids'>;

const changedText = (n: number): string =>
  t('{n, plural, one {# person changed} other {# people changed}}', { n });

/**
 * Changes the selected people. `refused`: who stayed as they were, with the reason, until
 * `dismiss`. `onDone`: the request was answered.
 */
export function useUpdateUsers(users: readonly SelectedUser[], onDone: () => void) {
  const companyId = useCompanyId() ?? 0;
  const [refused, setRefused] = useState<RefusedPerson[]>([]);
  const { mutate, isPending } = useApiMutation(contract.updateManyUsers, {
    invalidates: [companies.listCompanyUsers, companies.getCompanyUser],
  });
  const update = async (change: UserChange): Promise<void> => {
    const answer = await mutate({
      params: { companyId },
      body: { ...change, user_ids: users.map(({ id }) => id) },
    });
    if (!answer) return;
    const changed = answer.data.filter((one) => one.outcome === 'changed');
    setRefused(answer.data.filter((one) => one.outcome === 'refused'));
    if (changed.length > 0)
      toast.success(changedText(changed.length), {
        action: { label: t('Undo'), run: () => void undo(companyId, change, changed) },
      });
    else if (answer.data.every((one) => one.outcome === 'unchanged'))
      toast.neutral(t('Nothing to change: they already have it.'));
    onDone();
  };
  const deactivate = async (): Promise<void> => {
    const yes = await confirm({
      title: t('Deactivate {n, plural, one {# person} other {# people}}?', { n: users.length }),
      body: t(
        'They are signed out of this company at once. Their API keys, connected applications and open invitations end for good. Their history stays, and you can activate them again.',
      ),
      confirmLabel: t('Deactivate'),
      danger: true,
    });
    if (yes) await update({ active: false });
  };
  return { update, deactivate, isPending, refused, dismiss: () => setRefused([]) };
}

/** Gives each person back what they had: one request for all who had the same. */
async function undo(companyId: number, change: UserChange, changed: Results): Promise<void> {
  const groups = new Map<string, { body: UserChange; user_ids: number[] }>();
  for (const { user_id, before } of changed) {
    const body = before && changeBack(change, before);
    if (!body) continue;
    const key = JSON.stringify(body);
    const group = groups.get(key) ?? { body, user_ids: [] };
    group.user_ids.push(user_id);
    groups.set(key, group);
  }
  const results: Results = [];
  for (const { body, user_ids } of groups.values())
    results.push(
      ...(await api(contract.updateManyUsers, {
        params: { companyId },
        body: { ...body, user_ids },
      }).then(
        ({ data }) => data,
        () => [],
      )),
    );
  invalidate(cache, 'listCompanyUsers');
  invalidate(cache, 'getCompanyUser');
  const back = results.filter((one) => one.outcome === 'changed').length;
  if (back > 0) toast.success(changedText(back));
}

function changeBack(
  change: UserChange,
  before: NonNullable<RefusedPerson['before']>,
): UserChange | null {
  if (change.active !== undefined) return { active: !change.active };
  if (change.numbers) return { numbers: { change: 'replace', number_ids: before.numbers } };
  const role = contract.assignableRoles.find((one) => one === before.role);
  return role ? { role } : null;
}
