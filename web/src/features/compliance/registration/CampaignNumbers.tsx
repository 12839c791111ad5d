import { useState } from 'react';
import { Button, Progress } from '@mantine/core';
import {
  getSmsCampaign,
  listSmsCampaigns,
  removeSmsCampaignNumbers,
} from '#contract/compliance/registration/endpoints';
import {
  confirm,
  formatPhoneNumber,
  PhoneNumber,
  Section,
  StatusBadge,
  t,
  usePermission,
  useApiMutation,
} from '#ui';
import { AddNumbersDialog } from './AddNumbersDialog.tsx';
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
      {moving && <ApprovalProgress approved={approved} all={numbers.length} />}
      {numbers.length === 0 && <p className={css.quiet}>{t('No numbers yet.')}</p>}
      <ul className={css.lines}>
        {numbers.map((n) => (
          <NumberRow
            key={n.id}
            number={n}
            disabled={isPending}
            onRemove={
              mayEdit && n.status !== 'canceling' ? () => void remove(n.id, n.number) : null
            }
          />
        ))}
      </ul>
      {adding && <AddNumbersDialog registration={registration} close={() => setAdding(false)} />}
    </Section>
  );
}

function ApprovalProgress({ approved, all }: { approved: number; all: number }) {
  return (
    <div className={css.progress} role="status">
      <Progress value={all ? (100 * approved) / all : 0} aria-label={t('Numbers approved')} />
      <small className={css.quiet}>{t('{n} of {all} approved', { n: approved, all })}</small>
    </div>
  );
}

interface NumberRowProps {
  number: RegistrationView['campaign']['numbers'][number];
  disabled: boolean;
  /** Null when the number can't be removed. */
  onRemove: (() => void) | null;
}

function NumberRow({ number: n, disabled, onRemove }: NumberRowProps) {
  return (
    <li>
      <span>
        <PhoneNumber value={n.number} />
        {n.label && <span className={css.quiet}> {n.label}</span>}
      </span>
      <StatusBadge tone={statusTone(n.status)}>{statusName(n.status)}</StatusBadge>
      {onRemove && (
        <Button
          size="compact-xs"
          variant="default"
          disabled={disabled}
          aria-label={t('Remove {number}', { number: formatPhoneNumber(n.number) })}
          onClick={onRemove}
        >
          {t('Remove')}
        </Button>
      )}
    </li>
  );
}
