import { useState } from 'react';
import { Button, Text } from '@mantine/core';
import { porting } from '#contract';
import { toast, t, useApiQuery } from '#ui';
import css from './ports.module.css';

/**
 * Explains the simulated carrier of a sandbox order, and advances the order to its next status
 * right away.
 */
export function SandboxPanel({ port }: { port: porting.PortRequest }) {
  const [busy, setBusy] = useState(false);
  const { refetch } = useApiQuery(porting.getPort, { params: { id: port.id } });
  const advance = async (): Promise<void> => {
    setBusy(true);
    const response = await fetch(`/sandbox/ports/${port.carrier_ref}/advance`, {
      method: 'POST',
    }).catch(() => null);
    setBusy(false);
    if (!response?.ok)
      toast.warn(
        response
          ? ((await response.json()) as { message: string }).message
          : t('The sandbox isn’t responding.'),
      );
    refetch();
  };
  return (
    <section className={css.box} aria-label={t('Simulated carrier')}>
      <Text component="h3" fw={500}>
        {t('Simulated carrier')}
      </Text>
      <p>
        {t(
          'The sandbox plays the other carrier and moves one status per minute. An account number ending in 13 makes it ask for a customer service record, one ending in 66 is rejected right away, PIN 0000 is always wrong, and numbers ending in 99 are never released.',
        )}
      </p>
      {porting.isPortWithCarrier(port.status) && port.carrier_ref && (
        <Button size="compact-md" variant="default" loading={busy} onClick={() => void advance()}>
          {t('Next status now')}
        </Button>
      )}
    </section>
  );
}
