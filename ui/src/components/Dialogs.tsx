import { useEffect, useState } from 'react';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { Modal } from './Lazy.tsx';
import { createStore, useStore } from '../store.ts';
import { toast } from '../toast.ts';
import { useLeaveGuard } from '../address.ts';
import { t } from '../i18n.ts';

/** A confirmation. `names`: the name of the object, which must be typed exactly. */
interface ConfirmOptions {
  title: string;
  body: React.ReactNode;
  confirmLabel: string;
  requiredText?: string;
  danger?: boolean;
  cancelLabel?: string;
}
const store = createStore<{
  pending: (ConfirmOptions & { resolve: (yes: boolean) => void }) | null;
}>({
  pending: null,
});

/** Asks for confirmation; resolves to whether it was confirmed. */
export const confirm = (question: ConfirmOptions): Promise<boolean> =>
  new Promise((answer) => store.set({ pending: { ...question, resolve: answer } }));
/** Asks for confirmation before a destructive action: the object's name must be typed. */
export const confirmTyped = (
  question: ConfirmOptions & { requiredText: string },
): Promise<boolean> => confirm({ danger: true, ...question });

/** Shows a success toast with "Undo" for `ms` milliseconds. */
export const showUndoToast = (message: string, undo: () => void, ms = 8000): void =>
  void toast.success(message, { ms, action: { label: t('Undo'), run: undo } });

/** Asks before leaving while a form has unsaved changes. */
export const useUnsavedGuard = (dirty: boolean): void =>
  useLeaveGuard(dirty, () =>
    confirm({
      title: t('Leave without saving?'),
      body: t('Your changes on this page aren’t saved yet.'),
      confirmLabel: t('Leave'),
      cancelLabel: t('Stay'),
      danger: true,
    }),
  );

/**
 * The confirmation that `confirm` asks for. Where a text is required, the button stays disabled
 * until it is typed.
 */
export function Dialogs() {
  const pending = useStore(store, (s) => s.pending);
  const [typed, setTyped] = useState('');
  useEffect(() => setTyped(''), [pending]);
  const resolve = (yes: boolean): void => {
    pending?.resolve(yes);
    store.set({ pending: null });
  };
  const ready = !pending?.requiredText || typed.trim() === pending.requiredText;
  return (
    <Modal
      opened={pending !== null}
      onClose={() => resolve(false)}
      title={pending?.title ?? ''}
      closeButtonProps={{ 'aria-label': t('Close') }}
      size="sm"
    >
      {pending && (
        <form
          onSubmit={(e) => {
            e.preventDefault();
            if (ready) resolve(true);
          }}
          noValidate
        >
          <Text component="div" c="dimmed">
            {pending.body}
          </Text>
          {pending.requiredText && (
            <TextInput
              mt="md"
              data-autofocus
              autoComplete="off"
              label={t('Type {names} to confirm', { names: pending.requiredText })}
              value={typed}
              onChange={(e) => setTyped(e.currentTarget.value)}
            />
          )}
          <Group justify="flex-end" gap="xs" mt="lg">
            <Button variant="default" onClick={() => resolve(false)}>
              {pending.cancelLabel ?? t('Cancel')}
            </Button>
            <Button
              type="submit"
              color={pending.danger ? 'red' : 'accent'}
              disabled={!ready}
              {...(!pending.requiredText && { 'data-autofocus': true })}
            >
              {pending.confirmLabel}
            </Button>
          </Group>
        </form>
      )}
    </Modal>
  );
}
