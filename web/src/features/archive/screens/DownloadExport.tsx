import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { archive } from '#contract';
import { ErrorState, formatBytes, formatDateTime, t, useApiQuery } from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';
import { useParam } from '../../../shared/params.ts';

/** An exported file, for the person it was made for: the mail about it leads here. */
export default function DownloadExport() {
  const params = { companyId: Number(useParam('companyId')), fileId: Number(useParam('fileId')) };
  const { response, error, refetch } = useApiQuery(archive.getExport, { params });
  const file = response?.data;
  return (
    <AuthFrame title={file?.name ?? t('Exported file')}>
      <Stack gap="md">
        {error && !file && <ErrorState error={error} retry={refetch} />}
        {!file && !error && <Skeleton height={60} />}
        {file && (
          <Text fz="sm">
            {formatBytes(file.bytes)} ·{' '}
            {t('Kept until {time}', { time: formatDateTime(file.until) })}
          </Text>
        )}
        {file?.url && (
          <Button component="a" href={file.url} download>
            {t('Download')}
          </Button>
        )}
        {file && !file.url && (
          <Text fz="sm">
            {t('Only {name} can download this file, while they have access to its data.', {
              name: file.made_by.name,
            })}
          </Text>
        )}
      </Stack>
    </AuthFrame>
  );
}
