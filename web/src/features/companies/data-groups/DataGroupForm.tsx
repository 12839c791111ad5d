import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { dataGroups } from '#contract';
import { bindFieldErrors, t, useApiMutation } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';

/**
 * Name and description of a data group, new or not. `onSaved` gets its ID. `companyId`: any company
 * of the organization.
 */
export function DataGroupForm({
  group,
  companyId,
  onSaved,
  onCancel,
}: {
  group: { id: number; name: string; description: string } | null;
  companyId: number;
  onSaved: (id: number) => void;
  onCancel: () => void;
}) {
  const form = useForm({
    initialValues: { name: group?.name ?? '', description: group?.description ?? '' },
  });
  const options = {
    onFieldErrors: bindFieldErrors(form),
    invalidates: [dataGroups.listDataGroups, dataGroups.getDataGroup],
  };
  const create = useApiMutation(dataGroups.createDataGroup, {
    ...options,
    success: t('Data group created'),
    onSuccess: ({ data }) => onSaved(data.id),
  });
  const update = useApiMutation(dataGroups.updateDataGroup, {
    ...options,
    success: t('Data group updated'),
    onSuccess: ({ data }) => onSaved(data.id),
  });
  const save = form.onSubmit((values) => {
    const body = { company_id: companyId, ...values };
    void (group ? update.mutate({ params: { id: group.id }, body }) : create.mutate({ body }));
  });
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        <TextInput
          label={t('Name')}
          required
          maxLength={80}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Textarea
          label={t('Description')}
          autosize
          minRows={2}
          maxLength={500}
          {...form.getInputProps('description')}
        />
        <DialogFooter onCancel={onCancel}>
          <Button type="submit" loading={create.isPending || update.isPending}>
            {group ? t('Save') : t('Create')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}
