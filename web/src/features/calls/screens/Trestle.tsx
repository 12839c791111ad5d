import { useState } from 'react';
import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { calls } from '#contract';
import { api, ApiError, Section, t, useCompanyId, usePermission } from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { SetUpGuide } from '../../../shared/SetUpGuide.tsx';
import type { Identity } from '../record/caller-identity-labels.ts';
import { IdentityCard } from '../record/IdentityCard.tsx';

/** Caller lookup by Trestle: how it is set up, and a lookup that says what is missing. */
export default function Trestle() {
  const looksUp = usePermission('calls.view');
  return (
    <SettingsFrame
      title={t('Trestle')}
      layout="read"
      description={t('Looks up who is behind a number, on calls and in conversations.')}
    >
      <Stack gap="md">
        {looksUp && (
          <div>
            <TestLookup />
          </div>
        )}
        <SetUpGuide
          steps={[
            t('The operator of this server sets TRESTLE_API_KEY to a key of its Trestle account.'),
            t('Under Settings, Features, turn on Caller lookup.'),
            t('Look up a number here. If something is missing, it says what.'),
            t('On a call or in a conversation, choose Enhanced Caller ID.'),
          ]}
          checked={t(
            'Checked against the public reference of Trestle’s reverse phone API, version 3.2. No live account has been used.',
          )}
        />
      </Stack>
    </SettingsFrame>
  );
}

type Outcome = { found: Identity } | { problem: string } | null;

function TestLookup() {
  const companyId = useCompanyId() ?? 0;
  const [phone, setPhone] = useState('');
  const [outcome, setOutcome] = useState<Outcome>(null);
  const [isAsking, setAsking] = useState(false);
  const look = async (): Promise<void> => {
    setAsking(true);
    setOutcome(
      await api(calls.lookUpNumber, { params: { companyId }, body: { phone } }, { silent: true })
        .then(({ data: found }) => ({ found }))
        .catch((error: unknown) => {
          if (!(error instanceof ApiError)) throw error;
          return { problem: error.fields['phone'] ?? error.text };
        }),
    );
    setAsking(false);
  };
  return (
    <Section
      title={t('Look up a number')}
      about={t('Each lookup counts toward your usage. A result is kept for 30 days.')}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void look();
        }}
      >
        <Group gap="xs" align="flex-end">
          <TextInput
            label={t('Phone number')}
            type="tel"
            autoComplete="off"
            flex={1}
            value={phone}
            onChange={(event) => setPhone(event.currentTarget.value)}
          />
          <Button type="submit" loading={isAsking} disabled={phone.trim() === ''}>
            {t('Look up')}
          </Button>
        </Group>
      </form>
      {outcome && 'problem' in outcome && (
        <Alert color="yellow" role="status" mt="sm">
          {outcome.problem}
        </Alert>
      )}
      {outcome && 'found' in outcome && (
        <IdentityCard key={outcome.found.number} identity={outcome.found} />
      )}
    </Section>
  );
}
