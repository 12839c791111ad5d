import { numbers } from '#contract';
import { confirm, formatPhoneNumber, go, t, useTell } from '#ui';
import { numberLists } from './use-numbers-lists.ts';

/** Exchange a number for another like it; asked first, then one stands before the new one. */
export function useRotating() {
  const { tell, telling } = useTell(numbers.rotateNumber, {
    touches: numberLists,
    success: (answer) =>
      t('{number} took its place', { number: formatPhoneNumber(answer.data.number) }),
  });
  const rotate = async (n: { id: number; number: string }): Promise<void> => {
    const yes = await confirm({
      title: t('Exchange {number}?', { number: formatPhoneNumber(n.number) }),
      verb: t('Buy another and exchange'),
      body: t(
        'A number of the same area is bought with everything this one has. This one is released; for 30 days its callers reach the new one.',
      ),
    });
    const answer =
      yes && (await tell({ params: { id: n.id }, body: { same_area: true, keep_routing: true } }));
    if (answer) go(`/numbers/${answer.data.id}`);
  };
  return { rotate, rotating: telling };
}
