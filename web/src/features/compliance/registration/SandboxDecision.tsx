import { useEffect, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { t, toast } from '#ui';

/**
 * How often the sandbox is polled for the submitted registration, and the pause in between (ms). A
 * background job submits it.
 */
const [pollCount, pollMs] = [20, 500];
/**
 * Asks the sandbox's reviewer to decide right away instead of after a minute, once the registration
 * was submitted. Hidden when no sandbox responds.
 */
export function SandboxDecision({
  companyId,
  campaignId,
}: {
  companyId: number;
  campaignId: number;
}) {
  const [state, setState] = useState<'ready' | 'asking' | 'absent'>('ready');
  // False after unmount, which ends the polling.
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  if (state === 'absent') return null;
  const decide = async (): Promise<void> => {
    setState('asking');
    for (let look = 0; look < pollCount; look++) {
      const response = await fetch('/sandbox/registrations').catch(() => null);
      if (!response?.ok) return setState('absent');
      const { data } = (await response.json()) as {
        data: { ref: string; key: string; state: string }[];
      };
      const mine = data.filter(
        (r) => r.state === 'in_review' && r.key.startsWith(`r.${companyId}.${campaignId}.`),
      );
      for (const r of mine)
        await fetch(`/sandbox/registrations/${r.ref}/review`, { method: 'POST' }).catch(() => null);
      if (mine.length) return setState('ready');
      await new Promise((resolve) => {
        setTimeout(resolve, pollMs);
      });
      if (!here.current) return;
    }
    toast.warn(
      t(
        'You haven’t submitted anything yet. The simulated reviewer decides a minute after you submit.',
      ),
    );
    setState('ready');
  };
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={state === 'asking'}
      title={t('The simulated reviewer decides after a minute.')}
      onClick={() => void decide()}
    >
      {t('Sandbox: decide now')}
    </Button>
  );
}
