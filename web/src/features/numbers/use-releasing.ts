import { numbers, routing } from '#contract';
import { confirm, formatPhoneNumber, showUndo, t, useTell } from '#ui';

interface Which {
  id: number;
  number: string;
  label: string;
}
const changed = [
  numbers.listNumbersDatatable,
  numbers.listNumbers,
  numbers.listNumbersOfCompany,
  numbers.numberStats,
  numbers.numberLimit,
  numbers.companyAreaCodes,
  routing.getNumber,
];

/** Release a number (asked first, undone with a click) and keep one after all. */
export function useReleasing() {
  const remove = useTell(numbers.removeNumber, { touches: changed });
  const keepIt = useTell(numbers.removeNumber, {
    touches: changed,
    success: t('The number stays yours'),
  });
  const keep = async (n: Which): Promise<void> =>
    void (await keepIt.tell({ params: { id: n.id }, body: { undo: true } }));
  const release = async (n: Which): Promise<boolean> => {
    const name = n.label
      ? `${formatPhoneNumber(n.number)} (${n.label})`
      : formatPhoneNumber(n.number);
    const yes = await confirm({
      title: t('Release {number}?', { number: formatPhoneNumber(n.number) }),
      verb: t('Release number'),
      danger: true,
      body: t(
        '{name} stops taking calls and texts at once. For 72 hours you can keep it after all; then it goes back to the carrier and somebody else may get it. Its history stays.',
        { name },
      ),
    });
    if (!yes || !(await remove.tell({ params: { id: n.id }, body: { undo: false } }))) return false;
    showUndo(
      t('{number} is being released', { number: formatPhoneNumber(n.number) }),
      () => void keep(n),
    );
    return true;
  };
  return { release, keep, busy: remove.telling || keepIt.telling };
}
