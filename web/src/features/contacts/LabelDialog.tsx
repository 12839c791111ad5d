import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { groups } from '#contract';
import { bindFieldErrors, Modal, t, useApiMutation, useCompanyId } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';

interface LabelDialogProps {
  /** Null adds a label. */
  label: groups.ContactLabel | null;
  close: () => void;
}

/** Adds or renames a contact label. */
export function LabelDialog({ label, close }: LabelDialogProps) {
  const { form, submit, isPending } = useLabelForm({ label, close });
  return (
    <Modal
      opened
      onClose={close}
      size="sm"
      closeButtonProps={{ 'aria-label': t('Close') }}
      title={label ? t('Rename label') : t('Add label')}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t('Label')}
            maxLength={60}
            data-autofocus
            {...form.getInputProps('label')}
          />
          <DialogFooter onCancel={close}>
            <Button type="submit" loading={isPending}>
              {label ? t('Rename') : t('Add label')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}

function useLabelForm({ label, close }: LabelDialogProps) {
  const companyId = useCompanyId() ?? 0;
  const form = useForm({
    initialValues: { label: label?.label ?? '' },
    validate: { label: (v) => (v.trim() ? null : t('Enter a label.')) },
  });
  const shared = {
    invalidates: [groups.listContactLabels],
    onFieldErrors: bindFieldErrors(form),
    onSuccess: close,
  };
  const add = useApiMutation(groups.createContactLabel, { ...shared, success: t('Label created') });
  const rename = useApiMutation(groups.renameContactLabel, {
    ...shared,
    success: t('Label updated'),
  });
  const submit = form.onSubmit(
    (body) =>
      void (label
        ? rename.mutate({ params: { companyId, labelId: label.id }, body })
        : add.mutate({ params: { companyId }, body })),
  );
  return { form, submit, isPending: add.isPending || rename.isPending };
}
