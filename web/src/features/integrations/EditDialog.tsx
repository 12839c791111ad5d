import type { FormEventHandler, ReactNode } from 'react';
import { Button, Stack } from '@mantine/core';
import { Modal, t, useUnsavedGuard } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';

interface Props {
  title: string;
  size?: 'lg';
  /** Of the form that `children` belong to. */
  form: { isDirty: () => boolean };
  save: FormEventHandler<HTMLFormElement>;
  isSaving: boolean;
  /** What the last button says; left out: Save. */
  saveLabel?: string;
  close: () => void;
  /** The fields. */
  children: ReactNode;
}

/** A dialog that adds or changes a place that is delivered to. What was typed isn't lost by accident. */
export function EditDialog({
  title,
  size,
  form,
  save,
  isSaving,
  saveLabel,
  close,
  children,
}: Props) {
  useUnsavedGuard(form.isDirty());
  return (
    <Modal
      opened
      onClose={close}
      {...(size && { size })}
      title={title}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={save} noValidate>
        <Stack gap="sm">
          {children}
          <DialogFooter onCancel={close}>
            <Button type="submit" loading={isSaving}>
              {saveLabel ?? t('Save')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
