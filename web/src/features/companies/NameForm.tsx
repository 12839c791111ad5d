import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { t } from '#ui';

/** Asks for the name of a new company or organization. */
export function NameForm({
  description,
  submitLabel,
  isPending,
  onCancel,
  form,
  onSubmit,
}: {
  description?: string;
  submitLabel: string;
  isPending: boolean;
  onCancel: () => void;
  form: ReturnType<typeof useNameForm>;
  onSubmit: (name: string) => void;
}) {
  return (
    <form onSubmit={form.onSubmit(({ name }) => onSubmit(name.trim()))} noValidate>
      <Stack gap="sm">
        <TextInput
          label={t('Name')}
          {...(description !== undefined && { description })}
          data-autofocus
          autoFocus
          required
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The form's state; the caller binds the server's errors to it. */
export const useNameForm = () => useForm({ mode: 'uncontrolled', initialValues: { name: '' } });
