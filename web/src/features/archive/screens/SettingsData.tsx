import { useState } from 'react';
import { Anchor, Button, Group, PasswordInput, Skeleton, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { archive, type Answer } from '#contract';
import {
  bindFieldErrors,
  confirm,
  ErrorState,
  formatBytes,
  formatNumber,
  Modal,
  Section,
  StatusBadge,
  t,
  Time,
  trackBatch,
  useApiMutation,
  useApiQuery,
  useCompanyId,
} from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { ExportedFiles } from '../ExportedFiles.tsx';

type Archive = Answer<typeof archive.listArchives>['data'][number];

/** The company's data as one file, to keep or to take elsewhere. */
export default function SettingsData() {
  const companyId = useCompanyId() ?? 0;
  const [asking, setAsking] = useState(false);
  const { response, error, refetch } = useApiQuery(
    archive.listArchives,
    { params: { companyId } },
    { enabled: companyId !== 0 },
  );
  const isRunning = response?.data.some(({ state }) => state === 'running') ?? false;
  const create = (
    <Button onClick={() => setAsking(true)} disabled={isRunning}>
      {t('Create archive')}
    </Button>
  );
  return (
    <SettingsFrame
      title={t('Data')}
      layout="read"
      description={t('Your data is yours. Take all of it with you at any time.')}
      action={create}
    >
      <Section title={t('Archives')}>
        <Stack gap="sm">
          <Text fz="sm" c="dimmed">
            {t(
              'One ZIP file with every table, lists for spreadsheets and all recordings and files. Passwords and other secrets are left out.',
            )}
          </Text>
          {error && !response && <ErrorState error={error} retry={refetch} />}
          {!response && !error && <Skeleton height={60} />}
          {response?.data.length === 0 && <Text fz="sm">{t('No archives yet.')}</Text>}
          {response?.data.map((one) => (
            <ArchiveRow key={one.id} archive={one} />
          ))}
        </Stack>
      </Section>
      <ExportedFiles />
      {asking && <PasswordDialog companyId={companyId} close={() => setAsking(false)} />}
    </SettingsFrame>
  );
}

function ArchiveRow({ archive: one }: { archive: Archive }) {
  return (
    <Group justify="space-between">
      <span>
        <Time at={one.requested_at} as="instant" /> · {one.requested_by}
        {one.file &&
          ` · ${formatBytes(one.file.bytes)} · ${t('{n, plural, one {# row} other {# rows}}', {
            n: one.file.rows,
          })}`}
      </span>
      <Group gap="sm">
        <ArchiveState archive={one} />
        {one.url && (
          <Anchor href={one.url} download>
            {t('Download')}
          </Anchor>
        )}
        {one.state === 'ready' && <DeleteArchive archive={one} />}
      </Group>
    </Group>
  );
}

function DeleteArchive({ archive: one }: { archive: Archive }) {
  const companyId = useCompanyId() ?? 0;
  const { mutate, isPending } = useApiMutation(archive.deleteArchive, {
    invalidates: [archive.listArchives],
  });
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: t('Delete this archive?'),
      body: t('No one can download it from now on. Your data stays as it is.'),
      confirmLabel: t('Delete'),
      danger: true,
    });
    if (yes) await mutate({ params: { companyId, archiveId: one.id } });
  };
  return (
    <Button variant="subtle" color="red" size="xs" loading={isPending} onClick={() => void ask()}>
      {t('Delete')}
    </Button>
  );
}

function ArchiveState({ archive: one }: { archive: Archive }) {
  switch (one.state) {
    case 'running':
      return (
        <StatusBadge tone="info">{t('{n}% done', { n: formatNumber(one.progress) })}</StatusBadge>
      );
    case 'ready':
      return <StatusBadge tone="success">{t('Ready')}</StatusBadge>;
    case 'failed':
      return <StatusBadge tone="danger">{t('Failed')}</StatusBadge>;
    case 'expired':
      return <StatusBadge tone="neutral">{t('Expired')}</StatusBadge>;
    case 'deleted':
      return <StatusBadge tone="neutral">{t('Deleted')}</StatusBadge>;
  }
}

function PasswordDialog({ companyId, close }: { companyId: number; close: () => void }) {
  const form = useForm({ initialValues: { password: '' } });
  const { mutate, isPending } = useApiMutation(archive.startArchive, {
    onFieldErrors: bindFieldErrors(form),
    invalidates: [archive.listArchives],
  });
  const send = async (body: { password: string }): Promise<void> => {
    const begun = await mutate({ params: { companyId }, body });
    if (!begun) return;
    trackBatch({ id: begun.data.batchId, of: 'exports', label: t('Creating an archive') });
    close();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={t('Create an archive?')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={form.onSubmit((body) => void send(body))} noValidate>
        <Stack gap="md">
          <Text fz="sm">
            {t(
              'The file holds everything your company has here. You get an email with the link, and the audit log records it.',
            )}
          </Text>
          <PasswordInput
            label={t('Your password')}
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
          <DialogFooter onCancel={close}>
            <Button type="submit" loading={isPending}>
              {t('Create archive')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
