import { useState } from 'react';
import { Button, Checkbox, Group, Progress, Stack } from '@mantine/core';
import {
  addSmsCampaignNumbers,
  getSmsCampaign,
  listSmsCampaigns,
  removeSmsCampaignNumbers,
} from '#contract/compliance/registration/endpoints';
import { isTollFree } from '#contract/phone';
import {
  confirm,
  formatPhoneNumber,
  Modal,
  PhoneNumber,
  Section,
  StatusBadge,
  t,
  usePermission,
  useApiMutation,
} from '#ui';
import { useRegistrable } from './NumbersStep.tsx';
import { canAddNumbers, statusName, statusTone, type RegistrationView } from './labels.ts';
import css from './Registration.module.css';

const invalidates = [getSmsCampaign, listSmsCampaigns];

/**
 * Numbers of a registration. Statuses of numbers that are being added or removed at the carrier
 * update live.
 */
export function CampaignNumbers({ shown: registration }: { shown: RegistrationView }) {
  const mayEdit = usePermission('smsVerification.edit');
  const [adding, setAdding] = useState(false);
  const { numbers } = registration.campaign;
  const approved = numbers.filter((n) => n.status === 'approved').length;
  const moving =
    registration.is_submitted &&
    numbers.some(
      (n) => n.status === 'submitted' || n.status === 'in_review' || n.status === 'canceling',
    );
  const { mutate, isPending } = useApiMutation(removeSmsCampaignNumbers, {
    invalidates,
    success: t('Numbers removed from campaign'),
  });
  const remove = async (id: number, number: string): Promise<void> => {
    const sure = await confirm({
      title: t('Remove {number}?', { number: formatPhoneNumber(number) }),
      body: t('It will no longer be verified.'),
      confirmLabel: t('Remove'),
      danger: true,
    });
    if (sure)
      await mutate({
        params: { companyId: ':companyId', id: registration.id },
        body: { numbers: [id] },
      });
  };
  return (
    <Section
      title={t('Numbers')}
      action={
        mayEdit && canAddNumbers(registration) ? (
          <Button size="compact-sm" variant="default" onClick={() => setAdding(true)}>
            {t('Add numbers')}
          </Button>
        ) : undefined
      }
    >
      {moving && (
        <div className={css.progress} role="status">
          <Progress
            value={numbers.length ? (100 * approved) / numbers.length : 0}
            aria-label={t('Numbers approved')}
          />
          <small className={css.quiet}>
            {t('{n} of {all} approved', { n: approved, all: numbers.length })}
          </small>
        </div>
      )}
      {numbers.length === 0 && <p className={css.quiet}>{t('No numbers yet.')}</p>}
      <ul className={css.lines}>
        {numbers.map((n) => (
          <li key={n.id}>
            <span>
              <PhoneNumber value={n.number} />
              {n.label && <span className={css.quiet}> {n.label}</span>}
            </span>
            <StatusBadge tone={statusTone(n.status)}>{statusName(n.status)}</StatusBadge>
            {mayEdit && n.status !== 'canceling' && (
              <Button
                size="compact-xs"
                variant="default"
                disabled={isPending}
                aria-label={t('Remove {number}', { number: formatPhoneNumber(n.number) })}
                onClick={() => void remove(n.id, n.number)}
              >
                {t('Remove')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {adding && <AddNumbers shown={registration} close={() => setAdding(false)} />}
    </Section>
  );
}

function AddNumbers({
  shown: registration,
  close,
}: {
  shown: RegistrationView;
  close: () => void;
}) {
  const [chosen, setChosen] = useState<number[]>([]);
  const there = new Set(registration.campaign.numbers.map((n) => n.id));
  const free = useRegistrable()?.filter((n) => !there.has(n.id));
  const { mutate, isPending } = useApiMutation(addSmsCampaignNumbers, {
    invalidates,
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
