import { useEffect, useRef, useState } from 'react';
import { Alert, Button, Loader, Stack, Text } from '@mantine/core';
import { adminMode } from '#contract';
import {
  ApiError,
  api,
  currentLocation,
  forgetRemoteSession,
  navigate,
  startRemoteSession,
  t,
} from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';

/**
 * Opens the remote login that platform staff started in another tab. Without a token, one has ended
 * here: the tab doesn't quietly become their own.
 */
export default function RemoteLogin() {
  const [token] = useState(() => currentLocation().hash.slice(1) || null);
  const [problem, setProblem] = useState<string | null>(null);
  const asked = useRef(false);
  useEffect(() => {
    if (token === null || asked.current) return;
    asked.current = true;
    // It works once, yet stays neither in the address nor in the history.
    navigate(currentLocation().pathname, { replace: true });
    api(adminMode.remoteLogin, { body: { token } }, { silent: true }).then(
      ({ token: tokens, data }) => {
        startRemoteSession(tokens, data.company_id);
        navigate('/', { replace: true });
      },
      (error: unknown) =>
        setProblem(error instanceof ApiError ? error.text : t('Something went wrong')),
    );
  }, [token]);
  if (token !== null && problem === null)
    return (
      <AuthFrame title={t('Remote login')}>
        <Loader aria-label={t('Loading')} />
      </AuthFrame>
    );
  return (
    <AuthFrame title={t('Remote login')}>
      <Stack gap="sm">
        {problem ? (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        ) : (
          <Text>{t('This remote login has ended. You can close this tab.')}</Text>
        )}
        <Button variant="default" onClick={openAsOneself}>
          {t('Continue as yourself')}
        </Button>
      </Stack>
    </AuthFrame>
  );
}

function openAsOneself(): void {
  forgetRemoteSession();
  window.location.assign('/');
}
