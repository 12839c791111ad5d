import { useState } from 'react';
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { formatNumber, Modal, t } from '#ui';

export interface UsedChoice {
  id: number;
  value: string;
  used: number;
}
export interface Replacement {
  from: number;
  to: number | null;
}

/** Asks for replacements of deleted choices that objects still have. */
export function ReplaceChoices({
  used,
  stay: remaining,
  onChosen,
  onClose,
}: {
  used: readonly UsedChoice[];
  stay: readonly { id: number; value: string }[];
  onChosen: (replacements: Replacement[]) => void;
  onClose: () => void;
}) {
  const [chosen, setChosen] = useState<Record<number, string>>({});
  const ready = used.every((c) => chosen[c.id] !== undefined);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('These choices are in use')}
      size="md"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('Choose replacements.')}
        </Text>
        {used.map((c) => (
          <Select
            key={c.id}
            label={t('{value} ({n})', { value: c.value, n: formatNumber(c.used) })}
            placeholder={t('Choose')}
            allowDeselect={false}
            value={chosen[c.id] ?? null}
            onChange={(v) => setChosen({ ...chosen, [c.id]: v ?? '' })}
            data={[
              ...remaining.map((s) => ({ value: String(s.id), label: s.value })),
              { value: '', label: t('No value') },
            ]}
          />
        ))}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button
            disabled={!ready}
            onClick={() =>
              onChosen(
                used.map((c) => ({ from: c.id, to: chosen[c.id] ? Number(chosen[c.id]) : null })),
              )
            }
          >
            {t('Replace')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
