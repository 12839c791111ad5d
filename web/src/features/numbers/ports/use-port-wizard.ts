import { useState } from 'react';
import { useForm } from '@mantine/form';
import { porting } from '#contract';
import { bindFieldErrors, confirm, t, useApiMutation, type ApiError } from '#ui';
import { stepOfField } from './labels.ts';
import { toDetailRequest, toDetailValues, type DetailValues } from './port-details.ts';
import { numbersIn } from './PortNumbersStep.tsx';

const invalidates = [porting.listPorts, porting.portStats, porting.getPort, porting.portLetter];
export const lastStep = 4;

interface PortWizardOptions {
  /** The request to continue; null until one is created. */
  port: porting.PortRequest | null;
  close: () => void;
  /** Called with the ID of a request that was just created; the wizard reopens at its address. */
  opened: (id: number) => void;
}

/** State of the porting wizard. Leaving a step saves it, so the request can be continued later. */
export function usePortWizard({ port, close, opened }: PortWizardOptions) {
  const [step, setStep] = useState(
    port ? Math.min(lastStep, ...Object.keys(port.needs).map(stepOfField)) : 0,
  );
  const savedNumbers = port?.numbers ?? [];
  const [text, setText] = useState(savedNumbers.map((one) => one.formatted).join('\n'));
  const [numbersError, setNumbersError] = useState(port?.needs['numbers'] ?? null);
  const form = useForm<DetailValues>({ initialValues: toDetailValues(port) });

  const showNumbersError = ({ fields }: ApiError): string[] => {
    const names = Object.keys(fields).filter((name) => name.startsWith('numbers'));
    const first = names[0] === undefined ? undefined : fields[names[0]];
    if (first !== undefined) setNumbersError(first);
    return names;
  };
  const create = useApiMutation(porting.createPort, {
    invalidates,
    onFieldErrors: showNumbersError,
  });
  const update = useApiMutation(porting.savePort, {
    invalidates,
    onFieldErrors: (error) => [...showNumbersError(error), ...bindFieldErrors(form)(error)],
  });
  const submit = useApiMutation(porting.submitPort, {
    invalidates,
    success: t('Port request submitted'),
    onFieldErrors: ({ fields }) => {
      const first = Object.keys(fields)[0];
      if (first !== undefined) {
        form.setErrors(fields);
        setStep(stepOfField(first));
      }
      return [];
    },
  });

  const saveNumbers = async (): Promise<boolean> => {
    const numbers = numbersIn(text);
    if (numbers.length === 0) {
      setNumbersError(t('Add at least one number.'));
      return false;
    }
    if (port) {
      const saved = await update.mutate({ params: { id: port.id }, body: { numbers } });
      if (saved) setNumbersError(saved.data.needs['numbers'] ?? null);
      return saved !== null;
    }
    const created = await create.mutate({ body: { numbers, service: 1 } });
    if (created) opened(created.data.id);
    // This instance ends here: the new request opens at its own address, on the next step.
    return false;
  };
  const saveDetails = async (id: number): Promise<boolean> => {
    const saved = await update.mutate({ params: { id }, body: toDetailRequest(form.values) });
    if (!saved) return false;
    form.resetDirty();
    const missing = Object.entries(saved.data.needs).filter(([field]) => stepOfField(field) === 1);
    form.setErrors(Object.fromEntries(missing));
    return true;
  };
  /**
   * Saves the current step. False when it has errors, which are shown, or when the wizard continues
   * at another address.
   */
  const saveStep = (): Promise<boolean> => {
    if (step === 0) return saveNumbers();
    if (step === 1 && port && form.isDirty()) return saveDetails(port.id);
    return Promise.resolve(true);
  };
  const numbersChanged =
    numbersIn(text).join() !== savedNumbers.map((one) => one.number).join() ||
    (port === null && text.trim() !== '');
  const hasUnsaved = step === 0 ? numbersChanged : step === 1 && form.isDirty();

  return {
    step,
    form,
    text,
    setText,
    numbersError,
    setNumbersError,
    isSaving: create.isPending || update.isPending,
    isSubmitting: submit.isPending,
    back: () => setStep(step - 1),
    next: async (): Promise<void> => {
      if (await saveStep()) setStep(Math.min(lastStep, step + 1));
    },
    goTo: async (wanted: number): Promise<void> => {
      if (port && (wanted < step || (await saveStep()))) setStep(wanted);
    },
    /** Opens the step of a missing field and marks all missing fields. */
    fix: (field: string): void => {
      if (port) form.setErrors(port.needs);
      setStep(stepOfField(field));
    },
    /** Closes the wizard. Asks for confirmation only when something can't be saved. */
    leave: async (): Promise<void> => {
      const canLeave =
        !hasUnsaved || (port !== null && (await saveStep())) || (await confirmLeaving());
      if (canLeave) close();
    },
    submit: async (): Promise<void> => {
      if (port && (await submit.mutate({ params: { id: port.id }, body: {} }))) close();
    },
  };
}
export type PortWizardState = ReturnType<typeof usePortWizard>;

const confirmLeaving = (): Promise<boolean> =>
  confirm({
    title: t('Leave without saving?'),
    body: t('Your changes on this step aren’t saved yet.'),
    confirmLabel: t('Leave'),
    cancelLabel: t('Stay'),
    danger: true,
  });
