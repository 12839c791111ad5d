import { useState } from 'react';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { numbers } from '#contract';
import { api, toast, t, usePermission } from '#ui';

/** Downloads the filtered list of numbers as CSV. */
export function ExportButton({ query }: { query: Record<string, unknown> }) {
  const may = usePermission('exports.make');
  const [busy, setBusy] = useState(false);
  if (!may) return null;
  const run = async (): Promise<void> => {
    setBusy(true);
    const response = await api(numbers.exportNumbers, {
      query: { ...query, tz: Intl.DateTimeFormat().resolvedOptions().timeZone },
    }).catch(() => null);
    setBusy(false);
    if (!response) return;
    const link = document.createElement('a');
    link.href = response.data.url;
    link.download = response.data.name;
    link.click();
    toast.success(
      t('{n, plural, one {# number exported} other {# numbers exported}}', {
        n: response.data.rows,
      }),
    );
  };
  return (
    <Tooltip label={t('Download as CSV')}>
      <ActionIcon
        variant="default"
        size={36}
        loading={busy}
        aria-label={t('Download as CSV')}
        onClick={() => void run()}
      >
        <IconDownload size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
