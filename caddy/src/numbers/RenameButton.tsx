import { useState } from 'react';
import { Button, Stack } from '@mantine/core';
import { caddy, conversations } from '#contract';
import { Modal, t, useApiMutation } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { FormError } from '../FormError.tsx';
import type { CaddyNumber } from '../use-numbers.ts';
import { LabelInput } from './LabelInput.tsx';

/** Opens a dialog that says what a number is for. */
export function RenameButton({ number }: { number: CaddyNumber }) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button
        variant="default"
        onClick={() => setOpen(true)}
        aria-label={t('Rename {number}', { number: number.formatted })}
      >
        {t('Rename')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('Rename {number}', { number: number.formatted })}
        closeButtonProps={{ 'aria-label': t('Close') }}
        size="sm"
      >
        <RenameForm number={number} close={close} />
      </Modal>
    </>
  );
}

function RenameForm({ number, close }: { number: CaddyNumber; close: () => void }) {
  const [label, setLabel] = useState(number.label);
  const { mutate, isPending, error } = useApiMutation(caddy.renameCaddyNumber, {
    silent: true,
    invalidates: [
      caddy.listCaddyNumbers,
      conversations.listConversations,
      conversations.getConversation,
    ],
    success: t('Saved'),
    onSuccess: close,
  });
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        void mutate({ params: { id: number.id }, body: { label: label.trim() } });
      }}
    >
      <Stack gap="md">
        <FormError error={error} />
        <LabelInput value={label} onChange={setLabel} />
        <DialogFooter onCancel={close}>
          <Button type="submit" loading={isPending}>
            {t('Save')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}
