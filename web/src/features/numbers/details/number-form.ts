import { useEffect } from 'react';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { numbers, routing, type Body } from '#contract';
import { bindFieldErrors, t, useApiMutation, useUnsavedGuard } from '#ui';

export type EditableNumber = routing.NumberWithRoutes;
type Patch = Body<typeof routing.updateNumber>;

/**
 * A form over some settings of a number. It loads changes saved elsewhere while it has none of its
 * own, warns before unsaved changes are lost, and shows API errors at their fields.
 */
export function useNumberForm<V extends object>(
  number: EditableNumber,
  valuesOf: (n: EditableNumber) => V,
  patchOf: (values: V) => Patch,
) {
  const form = useForm<V>({ initialValues: valuesOf(number) }) as UseFormReturnType<V>;
  const { mutate, isPending } = useApiMutation(routing.updateNumber, {
    onFieldErrors: bindFieldErrors(form),
    success: t('Number updated'),
    invalidates: [
      routing.getNumber,
      numbers.listNumbersDatatable,
      numbers.listNumbers,
      numbers.listNumbersOfCompany,
      numbers.numberStats,
    ],
  });
  useUnsavedGuard(form.isDirty());
  const saved = JSON.stringify(valuesOf(number));
  const loadValues = (values: V): void => {
    form.setInitialValues(values);
    form.setValues(values);
    form.resetDirty(values);
  };
  useEffect(() => {
    if (!form.isDirty()) loadValues(JSON.parse(saved) as V);
  }, [saved]);
  const save = form.onSubmit(async (values) => {
    const response = await mutate({ params: { id: number.id }, body: patchOf(values) });
    if (response) loadValues(valuesOf(response.data));
  });
  return { form, save, saving: isPending };
}
