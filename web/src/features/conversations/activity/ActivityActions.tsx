import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconBroadcast, IconDownload, IconFileSearch } from '@tabler/icons-react';
import type { ActivityKind } from '#contract/conversations/rules';
import { lazyComponent, t, usePermission } from '#ui';
import { useOurNumbers } from '../use-our-numbers.ts';

const SendFax = lazyComponent(async () => (await import('../fax/SendFax.tsx')).SendFax);

/** What can be done from an activity list. `onExport` is absent for roles that can't export. */
export function ActivityActions({
  kind,
  onExport,
}: {
  kind: ActivityKind;
  onExport: (() => void) | undefined;
}) {
  const canMonitor = usePermission('calls.monitor');
  const canSend = usePermission('inbox.send');
  const canFax = useOurNumbers().some((n) => n.canFax);
  const [faxing, setFaxing] = useState(false);
  return (
    <>
      {kind === 'call' && (
        <Button
          component="a"
          href="/analytics/transcripts"
          variant="default"
          leftSection={<IconFileSearch size={16} aria-hidden />}
        >
          {t('Search calls')}
        </Button>
      )}
      {kind === 'call' && canMonitor && (
        <Button
          component="a"
          href="/calls/live"
          variant="default"
          leftSection={<IconBroadcast size={16} aria-hidden />}
        >
          {t('Live calls')}
        </Button>
      )}
      {onExport && (
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={onExport}
        >
          {t('Export')}
        </Button>
      )}
      {kind === 'fax' && canSend && canFax && (
        <Button onClick={() => setFaxing(true)}>{t('New fax')}</Button>
      )}
      {faxing && <SendFax onClose={() => setFaxing(false)} />}
    </>
  );
}
