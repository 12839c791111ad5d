import { useState } from 'react';
import { Alert, Skeleton, Stack } from '@mantine/core';
import { mfa } from '#contract';
import { ErrorState, t, useApiQuery, useSession } from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { Factors } from '../security/Factors.tsx';
import { Passkeys } from '../security/Passkeys.tsx';
import { RecoveryCodes } from '../security/RecoveryCodes.tsx';
import { SignInMethods } from '../security/SignInMethods.tsx';

/** How the signed-in person proves who they are: two-step verification and passkeys. */
export default function SettingsSecurity() {
  const mustSetUp = useSession((s) => s.user?.mfa_setup_required ?? false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { response, error, refetch } = useApiQuery(mfa.listMfa, {}, { refetchOnMount: true });
  return (
    <SettingsFrame
      title={t('Security')}
      layout="read"
      description={t('How you sign in. This applies to you, in all of your companies.')}
    >
      {mustSetUp && (
        <Alert color="yellow" role="status">
          {t(
            'This company requires two-step verification. Set up one of these, or a passkey, to continue.',
          )}
        </Alert>
      )}
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {!response && !error && (
        <Stack>
          {[0, 1].map((i) => (
            <Skeleton key={i} height={140} />
          ))}
        </Stack>
      )}
      {response && <Factors factors={response.data} showCodes={setCodes} />}
      {response && <Passkeys showCodes={setCodes} />}
      <SignInMethods />
      {codes && <RecoveryCodes codes={codes} close={() => setCodes(null)} />}
    </SettingsFrame>
  );
}
