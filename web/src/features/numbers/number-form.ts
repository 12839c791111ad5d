import { useEffect } from 'react';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { numbers, routing, type Body } from '#contract';
import { bindRefusal, t, useTell, useUnsavedGuard } from '#ui';

export type NumberShown = routing.NumberWithRoutes;
type Patch = Body<typeof routing.updateNumber>;

/**
 * One tab's form over a number's settings: takes over what others save while it holds no changes of its own, guards
 * what is unsaved, and puts refusals at their fields.
 */
export function useNumberForm<V extends object>(
  number: NumberShown,
  valuesOf: (n: NumberShown) => V,
  patchOf: (values: V) => Patch,
  validate: Partial<Record<keyof V, (value: never) => string | null>> = {},
) {
  const form = useForm<V>({
    initialValues: valuesOf(number),
    validate: validate as never,
  }) as UseFormReturnType<V>;
  const { tell, telling } = useTell(routing.updateNumber, {
    form: bindRefusal(form),
    success: t('Number was successfully updated'),
    touches: [
      routing.getNumber,
      numbers.listNumbersDatatable,
      numbers.listNumbers,
      numbers.listNumbersOfCompany,
      numbers.numberStats,
    ],
  });
  useUnsavedGuard(form.isDirty());
  const saved = JSON.stringify(valuesOf(number));
  const takeOver = (values: V): void => {
    form.setInitialValues(values);
    form.setValues(values);
    form.resetDirty(values);
  };
  useEffect(() => {
    if (!form.isDirty()) takeOver(JSON.parse(saved) as V);
  }, [saved]);
  const save = form.onSubmit(async (values) => {
    const answer = await tell({ params: { id: number.id }, body: patchOf(values) });
    if (answer) takeOver(valuesOf(answer.data));
  });
  return { form, save, saving: telling };
}
