import { contacts, groups } from '#contract';
import { confirm, showUndoToast, t, toast, trackBatch, useApiMutation, useCompanyId } from '#ui';
import type { BulkTarget } from './use-bulk-target.ts';

export type MembershipChange = 'label' | 'unlabel' | 'group' | 'ungroup';
interface BulkResult {
  data: { batchId: string; status: 'finished' | 'queued'; total: number; changed: number };
}

const invalidates = [
  contacts.listContacts,
  contacts.countContacts,
  contacts.getContact,
  groups.listGroups,
  groups.listContactLabels,
];
const undoMs = 12_000;

/** Labels, groups and deletion for the target. `done` runs when a change was made or queued. */
export function useBulkActions(target: BulkTarget, done: () => void) {
  const report = useReport(done);
  const { remove, isDeleting } = useBulkDelete(target, report);
  const { apply, isChanging } = useMembershipChange(target, report);
  return { remove, apply, isDeleting, isChanging };
}

/** Shows the result of a change; `message` says it for n contacts. Null: an error was shown. */
type Report = (result: BulkResult | null, message: (n: number) => string) => void;

/** Shows progress for a queued change and Undo for a finished one. */
function useReport(done: () => void): Report {
  const companyId = useCompanyId() ?? 0;
  const undo = useApiMutation(contacts.undoBulkContacts, {
    invalidates,
    success: t('Change undone'),
  });
  return (result, message) => {
    if (!result) return;
    const { batchId, status, total, changed } = result.data;
    if (status === 'queued') trackBatch({ id: batchId, label: message(total), total });
    else if (changed === 0) toast.neutral(t('No changes needed.'));
    else
      showUndoToast(
        message(changed),
        () => void undo.mutate({ params: { companyId, batchId } }),
        undoMs,
      );
    done();
  };
}

function useBulkDelete({ which, count }: BulkTarget, report: Report) {
  const companyId = useCompanyId() ?? 0;
  const { mutate, isPending } = useApiMutation(contacts.bulkDestroyContacts, { invalidates });
  const remove = async (): Promise<void> => {
    const confirmed = await confirm({
      title: t('{n, plural, one {Delete # contact?} other {Delete # contacts?}}', { n: count }),
      confirmLabel: t('{n, plural, one {Delete # contact} other {Delete # contacts}}', {
        n: count,
      }),
      danger: true,
      body: t('You can restore them for 30 days. Opt-outs and blocks stay in place.'),
    });
    if (!confirmed) return;
    report(await mutate({ params: { companyId }, body: which }), (n) =>
      t('{n, plural, one {# contact} other {# contacts}} deleted', { n }),
    );
  };
  return { remove, isDeleting: isPending };
}

function useMembershipChange({ which }: BulkTarget, report: Report) {
  const companyId = useCompanyId() ?? 0;
  const label = useApiMutation(groups.bulkAddLabel, { invalidates });
  const unlabel = useApiMutation(groups.bulkRemoveLabel, { invalidates });
  const join = useApiMutation(groups.addToGroup, { invalidates });
  const leave = useApiMutation(groups.removeFromGroup, { invalidates });
  /** The id and name of the label or group. */
  const apply = async (change: MembershipChange, id: number, name: string): Promise<void> => {
    const labelParams = { companyId, labelId: id };
    if (change === 'label')
      report(await label.mutate({ params: labelParams, body: which }), (n) =>
        t('{n, plural, one {# contact} other {# contacts}} labeled {name}', { n, name }),
      );
    if (change === 'unlabel')
      report(await unlabel.mutate({ params: labelParams, body: which }), (n) =>
        t('{name} removed from {n, plural, one {# contact} other {# contacts}}', { n, name }),
      );
    if (change === 'group')
      report(await join.mutate({ params: { id }, body: which }), (n) =>
        t('{n, plural, one {# contact} other {# contacts}} added to {name}', { n, name }),
      );
    if (change === 'ungroup')
      report(await leave.mutate({ params: { id }, body: which }), (n) =>
        t('{n, plural, one {# contact} other {# contacts}} removed from {name}', { n, name }),
      );
  };
  return { apply, isChanging: [label, unlabel, join, leave].some((one) => one.isPending) };
}
