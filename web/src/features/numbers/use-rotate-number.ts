import { numbers } from '#contract';
import { confirm, formatPhoneNumber, navigate, t, useApiMutation } from '#ui';
import { numberLists } from './number-lists.ts';

/** Replaces a number with a similar one after a confirmation, then opens the new number. */
export function useRotateNumber() {
  const { mutate, isPending } = useApiMutation(numbers.rotateNumber, {
    invalidates: numberLists,
    success: (response) =>
      t('Replaced with {number}', { number: formatPhoneNumber(response.data.number) }),
  });
  const rotate = async (n: { id: number; number: string }): Promise<void> => {
    const yes = await confirm({
      title: t('Replace {number}?', { number: formatPhoneNumber(n.number) }),
      confirmLabel: t('Buy and replace'),
      body: t(
        'A number in the same area is bought with the same setup. This one is released, and its callers reach the new one for 30 days.',
      ),
    });
    const response =
      yes &&
      (await mutate({ params: { id: n.id }, body: { same_area: true, keep_routing: true } }));
    if (response) navigate(`/numbers/${response.data.id}`);
  };
  return { rotate, rotating: isPending };
}
