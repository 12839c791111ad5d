import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconId } from '@tabler/icons-react';
import { ApiError, lazyComponent, t, toast } from '#ui';
import type { Identity } from './caller-identity-labels.ts';

const IdentityCard = lazyComponent(async () => (await import('./IdentityCard.tsx')).IdentityCard);

/**
 * Looks up who is behind a number: a button first, then a card. A failure is shown in the wording
 * of A §8.
 */
export function CallerIdentity({
  known,
  ask,
}: {
  known: Identity | null;
  ask: () => Promise<Identity>;
}) {
  const [found, setFound] = useState(known);
  const [asking, setAsking] = useState(false);
  const look = async (): Promise<void> => {
    setAsking(true);
    await ask().then(setFound, async (reason: unknown) => {
      if (reason instanceof ApiError && reason.status === 0) return void toast.warn(reason.text);
      const code = reason instanceof ApiError ? reason.code : null;
      const { apiErrorText } = await import('#contract/errors');
      void toast.warn(
        code === 'lookup.not_configured' || code === 'lookup.away'
          ? apiErrorText(code)
          : apiErrorText('lookup.not_found'),
      );
    });
    setAsking(false);
  };
  if (!found)
    return (
      <Button
        mt="xs"
        size="compact-sm"
        variant="default"
        loading={asking}
        leftSection={<IconId size={15} aria-hidden />}
        onClick={() => void look()}
      >
        {t('Enhanced Caller ID')}
      </Button>
    );
  return <IdentityCard identity={found} />;
}
