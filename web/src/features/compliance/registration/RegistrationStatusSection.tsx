import { Button } from '@mantine/core';
import { registrationKinds, type RegistrationKind } from '#contract/compliance/registration/lists';
import { Section, StatusBadge, t, useCompanyId, usePermission } from '#ui';
import { canCancel, kindName, statusName, statusTone, type RegistrationView } from './labels.ts';
import { SandboxDecision } from './SandboxDecision.tsx';
import { useCancelRegistration } from './use-cancel-registration.ts';
import css from './Registration.module.css';

/** Status and sending rate of each kind of number, with the button that ends the registration. */
export function RegistrationStatusSection({ shown: registration }: { shown: RegistrationView }) {
  const mayEdit = usePermission('smsVerification.edit');
  const companyId = useCompanyId();
  const { cancel, isPending } = useCancelRegistration(registration.id);
  const waiting = registrationKinds.some(
    (k) => registration.status[k] === 'in_review' || registration.status[k] === 'submitted',
  );
  const mayDecide = waiting && mayEdit;
  return (
    <Section
      title={t('Status')}
      action={
        mayDecide && companyId !== null ? (
          <SandboxDecision companyId={companyId} campaignId={registration.id} />
        ) : undefined
      }
    >
      {registrationKinds.map((kind) => (
        <KindStatus
          key={kind}
          kind={kind}
          registration={registration}
          isPending={isPending}
          onCancel={mayEdit ? () => void cancel(kind) : null}
        />
      ))}
    </Section>
  );
}

function KindStatus({
  kind,
  registration,
  isPending,
  onCancel,
}: {
  kind: RegistrationKind;
  registration: RegistrationView;
  isPending: boolean;
  /** Null when the user may not end the registration. */
  onCancel: (() => void) | null;
}) {
  const status = registration.status[kind];
  if (status === null) return null;
  const rate = registration.rates[kind];
  return (
    <div className={css.standing}>
      <span>{kindName(kind)}</span>
      <StatusBadge tone={statusTone(status)}>{statusName(status)}</StatusBadge>
      {rate !== null && <span className={css.quiet}>{rateLabel(kind, rate)}</span>}
      {onCancel && canCancel(status) && (
        <Button
          size="compact-xs"
          variant="default"
          disabled={isPending}
          aria-label={t('Cancel {kind}', { kind: kindName(kind) })}
          onClick={onCancel}
        >
          {t('Cancel')}
        </Button>
      )}
    </div>
  );
}

const rateLabel = (kind: RegistrationKind, n: number): string =>
  kind === 'local'
    ? t('{n, plural, one {# text segment} other {# text segments}} per second', { n })
    : t('{n, plural, one {# text segment} other {# text segments}} per second per number', { n });
