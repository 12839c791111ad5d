import { Stack } from '@mantine/core';
import { phrases as contract } from '#contract';
import { ErrorState, t, useApiQuery, useCompanyId } from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { OutcomeRules } from '../phrases/OutcomeRules.tsx';
import { PhraseLists } from '../phrases/PhraseLists.tsx';

/** What is looked for in transcripts, and what follows from it. */
export default function SettingsPhrases() {
  const companyId = useCompanyId() ?? 0;
  const { response, error, refetch } = useApiQuery(
    contract.listPhraseLists,
    { params: { companyId } },
    { enabled: companyId !== 0 },
  );
  return (
    <SettingsFrame
      title={t('Phrases and rules')}
      layout="read"
      description={t('What matters in your calls, and what follows when it’s said.')}
    >
      {error && !response ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Stack gap="md">
          <PhraseLists lists={response?.data} />
          <OutcomeRules lists={response?.data ?? []} />
        </Stack>
      )}
    </SettingsFrame>
  );
}
