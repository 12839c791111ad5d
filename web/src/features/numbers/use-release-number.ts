import { numbers, routing } from '#contract';
import { confirm, formatPhoneNumber, showUndoToast, t, useApiMutation } from '#ui';

interface ReleasableNumber {
  id: number;
  number: string;
  label: string;
}
const invalidates = [
  numbers.listNumbersDatatable,
  numbers.listNumbers,
  numbers.listNumbersOfCompany,
  numbers.numberStats,
  numbers.numberLimit,
  numbers.companyAreaCodes,
  routing.getNumber,
];

/**
 * Releases a number (after a confirmation, with undo) and keeps one that is being released.
 * `release` resolves to false when canceled or rejected.
 */
export function useReleaseNumber() {
  const remove = useApiMutation(numbers.removeNumber, { invalidates });
  const keepIt = useApiMutation(numbers.removeNumber, {
    invalidates,
    success: t('Number kept'),
  });
  const keep = async (n: ReleasableNumber): Promise<void> =>
    void (await keepIt.mutate({ params: { id: n.id }, body: { undo: true } }));
  const release = async (n: ReleasableNumber): Promise<boolean> => {
    const name = n.label
      ? `${formatPhoneNumber(n.number)} (${n.label})`
      : formatPhoneNumber(n.number);
    const yes = await confirm({
      title: t('Release {number}?', { number: formatPhoneNumber(n.number) }),
      confirmLabel: t('Release number'),
      danger: true,
      body: t(
        '{name} stops taking calls and texts right away. You can keep it for 72 hours. Then it goes back to the carrier and someone else may get it. Its history stays.',
        { name },
      ),
    });
    if (!yes || !(await remove.mutate({ params: { id: n.id }, body: { undo: false } })))
      return false;
    showUndoToast(
      t('{number} is being released', { number: formatPhoneNumber(n.number) }),
      () => void keep(n),
    );
    return true;
  };
  return { release, keep, busy: remove.isPending || keepIt.isPending };
}
