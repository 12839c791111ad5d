import { useState } from 'react';
import { Alert, Button, SegmentedControl, Stack, Text } from '@mantine/core';
import { Modal, t } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { NumberPicker } from '../NumberPicker.tsx';
import type { UserChange } from './use-update-users.ts';

type Kind = NonNullable<UserChange['numbers']>['change'];

/** Adds, removes or replaces the numbers that several people are limited to. */
export function ChangeNumbers({
  count,
  close,
  save,
  isPending,
}: {
  count: number;
  close: () => void;
  save: (change: UserChange) => Promise<void>;
  isPending: boolean;
}) {
  const [kind, setKind] = useState<Kind>('add');
  const [chosen, setChosen] = useState<string[]>([]);
  const givesAll = kind === 'replace' && chosen.length === 0;
  return (
    <Modal
      opened
      onClose={close}
      size="md"
      title={t('Change the numbers of {n, plural, one {# person} other {# people}}', { n: count })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="sm">
        <SegmentedControl
          aria-label={t('What to do with their numbers')}
          data={[
            { value: 'add', label: t('Add') },
            { value: 'remove', label: t('Remove') },
            { value: 'replace', label: t('Replace') },
          ]}
          value={kind}
          onChange={(next) => setKind(next as Kind)}
        />
        <NumberPicker chosen={chosen} onChange={setChosen} />
        {givesAll ? (
          <Alert color="orange">
            {t('Without numbers here, they see calls, messages and reports of every number.')}
          </Alert>
        ) : (
          <Text c="dimmed" fz="sm">
            {t('Limits users and the reporting role. Other roles have every number.')}
          </Text>
        )}
        <DialogFooter onCancel={close}>
          <Button
            disabled={kind !== 'replace' && chosen.length === 0}
            loading={isPending}
            onClick={() => void save({ numbers: { change: kind, number_ids: chosen.map(Number) } })}
          >
            {givesAll ? t('Give every number') : t('Change numbers')}
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}
