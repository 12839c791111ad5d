import { useEffect, useState } from 'react';
import { Button, Stack, Text } from '@mantine/core';
import { caddy } from '#contract';
import { Modal, navigate, t, toast, useApiMutation } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import type { CaddyNumber } from '../use-numbers.ts';
import { FormError } from '../FormError.tsx';
import { LabelInput } from './LabelInput.tsx';

interface GetNumberProps {
  /** The chosen number; null: none is. */
  number: { number: string; formatted: string } | null;
  /** It comes in exchange for this one; null: as a further number. */
  replaced: CaddyNumber | null;
  close: () => void;
}

const options = {
  invalidates: [
    caddy.listCaddyNumbers,
    caddy.getCaddyUsage,
    caddy.searchCaddyCatalog,
    caddy.getRandomCaddyNumber,
  ],
  silent: true,
} as const;

/** Adds the chosen number, or exchanges one for it. */
function useGetNumber(number: string | undefined, replaced: CaddyNumber | null) {
  const add = useApiMutation(caddy.addCaddyNumber, options);
  const exchange = useApiMutation(caddy.replaceCaddyNumber, options);
  const { error, isPending, reset } = replaced ? exchange : add;
  useEffect(() => reset(), [number, reset]);
  const get = async (chosen: string, label: string): Promise<void> => {
    const done = replaced
      ? await exchange.mutate({ body: { id: replaced.id, number: chosen } })
      : await add.mutate({ body: { number: chosen, label } });
    if (!done) return;
    toast.success(t('{number} is yours', { number: done.data.formatted }));
    navigate('/caddy/numbers', { replace: true });
  };
  return { get, error, isPending };
}

/** The last step: what the number is for, or which one it replaces. */
export function GetNumber({ number, replaced, close }: GetNumberProps) {
  const [label, setLabel] = useState('');
  const { get, error, isPending } = useGetNumber(number?.number, replaced);
  return (
    <Modal
      opened={number !== null}
      onClose={close}
      title={t('Get {number}', { number: number?.formatted ?? '' })}
      closeButtonProps={{ 'aria-label': t('Close') }}
      size="sm"
    >
      <form
        onSubmit={(e) => {
          e.preventDefault();
          if (number) void get(number.number, label.trim());
        }}
      >
        <Stack gap="md">
          <FormError error={error} />
          {replaced ? (
            <Text>
              {t('{number} stops now. You can restore it for 30 days.', {
                number: replaced.formatted,
              })}
            </Text>
          ) : (
            <LabelInput value={label} onChange={setLabel} />
          )}
          <Text size="sm" c="dimmed">
            {t('Caddy numbers can’t call 911 or other emergency services.')}
          </Text>
          <DialogFooter onCancel={close}>
            <Button type="submit" loading={isPending}>
              {replaced ? t('Exchange') : t('Get this number')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
