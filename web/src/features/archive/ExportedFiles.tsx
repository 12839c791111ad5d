import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { archive, type Answer } from '#contract';
import {
  confirm,
  ErrorState,
  formatBytes,
  Section,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  useCompanyId,
} from '#ui';

type Exported = Answer<typeof archive.listExports>['data'][number];

/** Files that people of the company exported and that are still kept, to see and withdraw them. */
export function ExportedFiles() {
  const companyId = useCompanyId() ?? 0;
  const { response, error, refetch } = useApiQuery(
    archive.listExports,
    { params: { companyId } },
    { enabled: companyId !== 0 },
  );
  return (
    <Section title={t('Exported files')}>
      <Stack gap="sm">
        <Text fz="sm" c="dimmed">
          {t(
            'Lists that people exported. Only the person who exported a list can download it, while they have access to its data.',
          )}
        </Text>
        {error && !response && <ErrorState error={error} retry={refetch} />}
        {!response && !error && <Skeleton height={40} />}
        {response?.data.length === 0 && <Text fz="sm">{t('No exported files.')}</Text>}
        {response?.data.map((one) => (
          <ExportedRow key={one.id} exported={one} companyId={companyId} />
        ))}
      </Stack>
    </Section>
  );
}

function ExportedRow({ exported: one, companyId }: { exported: Exported; companyId: number }) {
  const { mutate, isPending } = useApiMutation(archive.deleteExport, {
    invalidates: [archive.listExports],
  });
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: t('Delete {name}?', { name: one.name }),
      body: t('{name} can’t download it any more.', { name: one.made_by.name }),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (yes) await mutate({ params: { companyId, fileId: one.id } });
  };
  return (
    <Group justify="space-between">
      <span>
        {one.name} · {one.made_by.name} · <Time at={one.made_at} as="instant" /> ·{' '}
        {formatBytes(one.bytes)}
      </span>
      <Group gap="sm">
        {one.url && (
          <Anchor href={one.url} download>
            {t('Download')}
          </Anchor>
        )}
        <Button
          variant="subtle"
          color="red"
          size="xs"
          loading={isPending}
          onClick={() => void ask()}
        >
          {t('Delete')}
        </Button>
      </Group>
    </Group>
  );
}
