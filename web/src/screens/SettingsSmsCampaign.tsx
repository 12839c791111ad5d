import { Button, Skeleton, Stack } from '@mantine/core';
import { deleteSmsCampaign, getSmsCampaign, listSmsCampaigns } from '#contract/registration';
import { verificationFreshSeconds } from '#contract/registration-lists';
import {
  confirm,
  ErrorState,
  flash,
  go,
  StatusBadge,
  t,
  useAsk,
  useFilters,
  useMay,
  useTell,
} from '#ui';
import { SettingsFrame } from '../app/SettingsFrame.tsx';
import { useIdParam } from '../app/params.ts';
import { CampaignNumbers } from '../features/compliance/registration/CampaignNumbers.tsx';
import { Fees } from '../features/compliance/registration/Fees.tsx';
import { steps, type Step } from '../features/compliance/registration/form.ts';
import { History } from '../features/compliance/registration/History.tsx';
import { Standing } from '../features/compliance/registration/Standing.tsx';
import { Summary } from '../features/compliance/registration/Summary.tsx';
import { WhyRejected } from '../features/compliance/registration/WhyRejected.tsx';
import { Wizard } from '../features/compliance/registration/Wizard.tsx';
import {
  brandName,
  canChange,
  canDelete,
  useName,
} from '../features/compliance/registration/words.ts';

const back = () => ({ href: '/settings/sms-verification', label: t('SMS verification') });

/** One registration: the wizard while it can be changed, otherwise where it stands. */
export default function SettingsSmsCampaign() {
  const id = useIdParam();
  const { filters, set } = useFilters({ step: '' });
  const mayEdit = useMay('smsVerification.edit');
  const { answer, refusal, again } = useAsk(
    getSmsCampaign,
    { params: { companyId: ':companyId', id: id ?? 0 } },
    { when: id !== null, freshMs: verificationFreshSeconds * 1000, quiet: true },
  );
  const { tell, telling } = useTell(deleteSmsCampaign, { touches: [listSmsCampaigns] });
  const shown = answer?.data;
  if (!shown) {
    return (
      <SettingsFrame title={t('SMS verification')} back={back()} layout="read">
        {refusal || id === null ? (
          <ErrorState
            {...(refusal && { refusal })}
            again={again}
            title={t('This registration is not here')}
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
  const remove = async (): Promise<void> => {
    if (
      !(await confirm({
        title: t('Delete this registration?'),
        body: t('What was filled in is gone for good.'),
        verb: t('Delete'),
        danger: true,
      }))
    )
      return;
    if (!(await tell({ params: { companyId: ':companyId', id: shown.id } }))) return;
    flash.success(t('The registration was deleted'));
    go('/settings/sms-verification');
  };
  const editing = mayEdit && canChange(shown);
  const step =
    steps.find((s) => s === filters.step) ??
    (shown.rejection.length === 0 || shown.rejection[0]?.code.startsWith('brand.')
      ? 'brand'
      : 'samples');
  return (
    <SettingsFrame
      title={brandName(shown)}
      back={back()}
      layout="read"
      about={useName(shown)}
      beside={shown.is_draft ? <StatusBadge>{t('Draft')}</StatusBadge> : undefined}
      action={
        mayEdit && canDelete(shown) ? (
          <Button variant="default" color="red" loading={telling} onClick={() => void remove()}>
            {t('Delete')}
          </Button>
        ) : undefined
      }
    >
      <WhyRejected shown={shown} />
      {editing && (
        <Wizard
          key={shown.id}
          shown={shown}
          step={step}
          goTo={(to: Step) => set({ step: to })}
          sent={() => set({ step: '' })}
        />
      )}
      {(!editing || shown.is_submitted) && <Standing shown={shown} />}
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
