import { Button, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { presets } from '#contract';
import { bindFieldErrors, Modal, t, useApiMutation } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';

type Preset = presets.ColumnPreset;

/** Renames or shares a column preset. */
export function PresetDialog({ preset, onClose }: { preset: Preset; onClose: () => void }) {
  const form = useForm({
    initialValues: { name: preset.name, shared: preset.shared, is_default: preset.is_default },
    validate: { name: (v) => (v.trim() ? null : t('Enter a name.')) },
  });
  const { mutate, isPending } = useApiMutation(presets.updateColumnPreset, {
    onFieldErrors: bindFieldErrors(form),
    invalidates: [presets.listColumnPresets],
    success: t('Column preset was successfully updated'),
    onSuccess: onClose,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Edit preset')}
      size="sm"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={form.onSubmit((body) => void mutate({ params: { id: preset.id }, body }))}>
        <Stack gap="sm">
          <TextInput
            label={t('Preset name')}
            maxLength={60}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <Switch
            label={t('Share with the company')}
            {...form.getInputProps('shared', { type: 'checkbox' })}
          />
          <Switch
            label={t('Use as my default')}
            {...form.getInputProps('is_default', { type: 'checkbox' })}
          />
          <DialogFooter onCancel={onClose}>
            <Button type="submit" loading={isPending}>
              {t('Save')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
