import { Button, Skeleton, Stack } from '@mantine/core';
import {
  deleteSmsCampaign,
  getSmsCampaign,
  listSmsCampaigns,
} from '#contract/compliance/registration/endpoints';
import { verificationFreshSeconds } from '#contract/compliance/registration/lists';
import {
  confirm,
  ErrorState,
  toast,
  navigate,
  StatusBadge,
  t,
  useApiQuery,
  useFilters,
  usePermission,
  useApiMutation,
  type ApiError,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { useIdParam } from '../../../shared/params.ts';
import { CampaignNumbers } from '../registration/CampaignNumbers.tsx';
import { Fees } from '../registration/Fees.tsx';
import { steps, type Step } from '../registration/form.ts';
import { History } from '../registration/History.tsx';
import { RegistrationStatusSection } from '../registration/RegistrationStatusSection.tsx';
import { Summary } from '../registration/Summary.tsx';
import { RejectionReasons } from '../registration/RejectionReasons.tsx';
import { Wizard } from '../registration/Wizard.tsx';
import {
  brandName,
  canChange,
  canDelete,
  caseName,
  type RegistrationView,
} from '../registration/labels.ts';

const goBack = () => ({ href: '/settings/sms-verification', label: t('SMS verification') });

/** A registration: the wizard while it can be changed, otherwise its status and details. */
export default function SettingsSmsCampaign() {
  const id = useIdParam();
  const { filters, set } = useFilters({ step: '' });
  const mayEdit = usePermission('smsVerification.edit');
  const { response, error, refetch } = useApiQuery(
    getSmsCampaign,
    { params: { companyId: ':companyId', id: id ?? 0 } },
    { enabled: id !== null, staleTime: verificationFreshSeconds * 1000, silent: true },
  );
  const { remove, isPending } = useDeleteRegistration();
  const shown = response?.data;
  if (!shown) {
    const isMissing = error !== null || id === null;
    return <NotLoaded error={error} isMissing={isMissing} refetch={refetch} />;
  }
  const editing = mayEdit && canChange(shown);
  const step = steps.find((s) => s === filters.step) ?? firstStepOf(shown);
  return (
    <SettingsFrame
      title={brandName(shown)}
      back={goBack()}
      layout="read"
      description={caseName(shown)}
      aside={shown.is_draft ? <StatusBadge>{t('Draft')}</StatusBadge> : undefined}
      action={
        mayEdit && canDelete(shown) ? (
          <Button
            variant="default"
            color="red"
            loading={isPending}
            onClick={() => void remove(shown.id)}
          >
            {t('Delete')}
          </Button>
        ) : undefined
      }
    >
      <RejectionReasons shown={shown} />
      {editing && (
        <Wizard
          key={shown.id}
          registration={shown}
          step={step}
          goTo={(to: Step) => set({ step: to })}
          onSubmitted={() => set({ step: '' })}
        />
      )}
      {(!editing || shown.is_submitted) && <RegistrationStatusSection shown={shown} />}
      {!editing && (
        <>
          <CampaignNumbers shown={shown} />
          <Summary shown={shown} />
          <Fees fees={shown.fees} />
        </>
      )}
      <History history={shown.history} />
    </SettingsFrame>
  );
}

/** The first step, or the one with the first reason for a rejection. */
function firstStepOf({ rejection: [reason] }: RegistrationView): Step {
  return reason === undefined || reason.code.startsWith('brand.') ? 'brand' : 'samples';
}

/** Deletes a registration, after a confirmation, and returns to the list. */
function useDeleteRegistration() {
  const { mutate, isPending } = useApiMutation(deleteSmsCampaign, {
    invalidates: [listSmsCampaigns],
  });
  const remove = async (id: number): Promise<void> => {
    if (!(await confirmDelete())) return;
    if (!(await mutate({ params: { companyId: ':companyId', id } }))) return;
    toast.success(t('Registration deleted'));
    navigate('/settings/sms-verification');
  };
  return { remove, isPending };
}

const confirmDelete = (): Promise<boolean> =>
  confirm({
    title: t('Delete this registration?'),
    body: t('Everything you entered is permanently deleted.'),
    confirmLabel: t('Delete'),
    danger: true,
  });

function NotLoaded({
  error,
  isMissing,
  refetch,
}: {
  error: ApiError | null;
  isMissing: boolean;
  refetch: () => void;
}) {
  return (
    <SettingsFrame title={t('SMS verification')} back={goBack()} layout="read">
      {isMissing ? (
        <ErrorState
          {...(error && { error })}
          retry={refetch}
          notFound={t('Registration not found')}
        />
      ) : (
        <Stack>
          {[0, 1, 2].map((i) => (
            <Skeleton key={i} height={72} />
          ))}
        </Stack>
      )}
    </SettingsFrame>
  );
}
