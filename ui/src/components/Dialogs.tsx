import { useEffect, useState } from 'react';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { Modal } from './Lazy.tsx';
import { makeStore, useStore } from '../store.ts';
import { flash } from '../flash-store.ts';
import { useLeaveGuard } from '../address.ts';
import { t } from '../words.ts';

/** What a confirmation says. `names`: the thing that goes, to be typed exactly. */
interface Question {
  title: string;
  body: React.ReactNode;
  verb: string;
  names?: string;
  danger?: boolean;
  cancel?: string;
}
const store = makeStore<{ asked: (Question & { answer: (yes: boolean) => void }) | null }>({
  asked: null,
});

/** Ask before something happens. Resolves to whether it may. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((answer) => store.set({ asked: { ...question, answer } }));
/** Ask before something is destroyed: its name must be typed. */
export const confirmTyped = (question: Question & { names: string }): Promise<boolean> =>
  confirm({ danger: true, ...question });

/** It was done and can be taken back: a success message with "Undo". */
export const showUndo = (said: string, undo: () => void, ms = 8000): void =>
  void flash.success(said, { ms, action: { label: t('Undo'), run: undo } });

/** While a form differs from what is saved, leaving asks first. */
export const useUnsavedGuard = (dirty: boolean): void =>
  useLeaveGuard(dirty, () =>
    confirm({
      title: t('Leave without saving?'),
      body: t('What you changed on this page is not saved yet.'),
      verb: t('Leave'),
      cancel: t('Stay'),
      danger: true,
    }),
  );

export function DialogOutlet() {
  const asked = useStore(store, (s) => s.asked);
  const [typed, setTyped] = useState('');
  useEffect(() => setTyped(''), [asked]);
  const answer = (yes: boolean): void => {
    asked?.answer(yes);
    store.set({ asked: null });
  };
  const ready = !asked?.names || typed.trim() === asked.names;
  return (
    <Modal
      opened={asked !== null}
      onClose={() => answer(false)}
      title={asked?.title ?? ''}
      closeButtonProps={{ 'aria-label': t('Close') }}
      size="sm"
    >
      {asked && (
        <form
          onSubmit={(e) => {
            e.preventDefault();
            if (ready) answer(true);
          }}
        >
          <Text component="div" c="dimmed">
            {asked.body}
          </Text>
          {asked.names && (
            <TextInput
              mt="md"
              data-autofocus
              autoComplete="off"
              label={t('Type {names} to confirm', { names: asked.names })}
              value={typed}
              onChange={(e) => setTyped(e.currentTarget.value)}
            />
          )}
          <Group justify="flex-end" gap="xs" mt="lg">
            <Button variant="default" onClick={() => answer(false)}>
              {asked.cancel ?? t('Cancel')}
            </Button>
            <Button
              type="submit"
              color={asked.danger ? 'red' : 'accent'}
              disabled={!ready}
              {...(!asked.names && { 'data-autofocus': true })}
            >
              {asked.verb}
            </Button>
          </Group>
        </form>
      )}
    </Modal>
  );
}
