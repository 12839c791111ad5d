import { Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { sourceReports, type BodyIn } from '#contract';
import { bindFieldErrors, Modal, t, useApiMutation } from '#ui';

type Asked = Omit<BodyIn<typeof sourceReports.saveSourceReport>, 'name'>;

/** Asks for a name and keeps the report under it. */
export function SaveRun({ asked, close }: { asked: Asked; close: () => void }) {
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() ? null : t('Enter a name.')) },
  });
  const { mutate, isPending } = useApiMutation(sourceReports.saveSourceReport, {
    invalidates: [sourceReports.listSourceReports],
    onFieldErrors: bindFieldErrors(form, {}),
    success: t('Report saved'),
  });
  const save = form.onSubmit(async ({ name }) => {
    if (await mutate({ body: { ...asked, name } })) close();
  });
  return (
    <Modal
      closeButtonProps={{ 'aria-label': t('Close') }}
      opened
      onClose={close}
      title={t('Save report')}
    >
      <form onSubmit={save} noValidate>
        <TextInput
          label={t('Name')}
          maxLength={80}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Group mt="md" justify="flex-end">
          <Button type="submit" loading={isPending}>
            {t('Save')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
