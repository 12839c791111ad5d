import { useForm, type UseFormReturnType } from '@mantine/form';
import { numbers, routing, type Body } from '#contract';
import { bindFieldErrors, t, useApiMutation, useUnsavedGuard, useFollowSaved } from '#ui';

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
  useFollowSaved(form, valuesOf(number));
  const save = form.onSubmit(async (values) => {
    const response = await mutate({ params: { id: number.id }, body: patchOf(values) });
    if (!response) return;
    form.setInitialValues(valuesOf(response.data));
    form.reset();
  });
  return { form, save, saving: isPending };
}
