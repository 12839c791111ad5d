import { useState } from 'react';
import { Button, Checkbox, Group, Stack } from '@mantine/core';
import {
  addSmsCampaignNumbers,
  getSmsCampaign,
  listSmsCampaigns,
} from '#contract/compliance/registration/endpoints';
import { isTollFree } from '#contract/phone';
import { formatPhoneNumber, Modal, t, useApiMutation } from '#ui';
import type { RegistrationView } from './labels.ts';
import { useRegistrable } from './NumbersStep.tsx';

interface AddNumbersProps {
  registration: RegistrationView;
  close: () => void;
}

/** Adds numbers that can text to a registration. */
export function AddNumbersDialog({ registration, close }: AddNumbersProps) {
  const [chosen, setChosen] = useState<number[]>([]);
  const included = new Set(registration.campaign.numbers.map((n) => n.id));
  const free = useRegistrable()?.filter((n) => !included.has(n.id));
  const { mutate, isPending } = useApiMutation(addSmsCampaignNumbers, {
    invalidates: [getSmsCampaign, listSmsCampaigns],
    success: t('Numbers added to campaign'),
    onSuccess: close,
  });
  return (
    <Modal
      opened
      onClose={close}
      title={t('Add numbers')}
      size="sm"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={(e) => {
          e.preventDefault();
          if (chosen.length)
            void mutate({
              params: { companyId: ':companyId', id: registration.id },
              body: { numbers: chosen },
            });
        }}
      >
        <Stack gap="xs">
          {free?.length === 0 && <p>{t('All of your texting numbers are already included.')}</p>}
          {free?.map((n) => (
            <Checkbox
              key={n.id}
              label={`${n.label ? `${n.label} · ` : ''}${formatPhoneNumber(n.number)}`}
              description={isTollFree(n.number) ? t('Toll-free') : t('Local')}
              checked={chosen.includes(n.id)}
              onChange={(e) => {
                const on = e.currentTarget.checked;
                setChosen((before) =>
                  on ? [...before, n.id] : before.filter((id) => id !== n.id),
                );
              }}
            />
          ))}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={isPending} disabled={chosen.length === 0}>
              {t('Add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
