import { Alert, Anchor, Button, Group, List, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { companyImports as contract } from '#contract';
import { isRunning } from '#contract/archive/company-imports/rules';
import {
  confirm,
  ErrorState,
  Facts,
  formatBytes,
  Page,
  Section,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  useStore,
} from '#ui';
import { cancelUpload, companyUpload } from './company-upload.ts';
import { ImportContents } from './ImportContents.tsx';
import { ImportState, usePolling, type CompanyImport } from './import-state.tsx';
import { ResumeUpload } from './ResumeUpload.tsx';

const POLL_MS = 1_500;

/** One uploaded archive: its upload, its check, its import, and what comes next. */
export default function CompanyImportReport({ id, close }: { id: number; close: () => void }) {
  const found = useApiQuery(contract.getCompanyImport, { params: { id } }, { silent: true });
  const { error, refetch } = found;
  // Discarded meanwhile, in another tab.
  const one = error?.status === 404 ? undefined : found.response?.data;
  usePolling(one ? isRunning(one.state) || one.state === 'uploading' : false, refetch, POLL_MS);
  const back = (
    <Button variant="default" onClick={close}>
      {t('All archives')}
    </Button>
  );
  const name = one?.report?.company.name;
  return (
    <Page title={name ? t('Import {name}', { name }) : t('Import a company')} action={back}>
      {error && !one && (
        <ErrorState error={error} retry={refetch} notFound={t('This upload was discarded')} />
      )}
      {!one && !error && <Skeleton height={240} aria-label={t('Loading')} />}
      {one && (
        <>
          <Section title={t('Archive')}>
            <Stack gap="md">
              <Step one={one} />
              <Next one={one} refetch={refetch} close={close} />
            </Stack>
          </Section>
          <About one={one} />
          {one.report && <ImportContents report={one.report} isDone={one.state === 'done'} />}
        </>
      )}
    </Page>
  );
}

/** What is happening, or what came of it. */
function Step({ one }: { one: CompanyImport }) {
  const { state, progress, report } = one;
  if (state === 'uploading') return <Uploading one={one} />;
  if (isRunning(state))
    return (
      <Going
        label={
          state === 'importing' ? t('Importing') : state === 'queued' ? t('Waiting') : t('Checking')
        }
        percent={progress}
      />
    );
  if (state === 'refused')
    return (
      <Alert color="red" role="alert" title={t('This archive can’t be imported yet')}>
        <List size="sm">
          {one.reasons.map((reason) => (
            <List.Item key={reason}>{reason}</List.Item>
          ))}
        </List>
        <Text size="sm" mt="xs">
          {t('Nothing was changed.')}
        </Text>
      </Alert>
    );
  if (state === 'failed')
    return (
      <Alert color="red" role="alert" title={t('It stopped')}>
        {one.failure}
      </Alert>
    );
  return (
    <Alert color="green" role="status">
      {state === 'ready'
        ? t('The check found no problem. Nothing has been changed so far.')
        : t('{name} was imported, and every table has the hash that the archive says.', {
            name: report?.company.name ?? '',
          })}
    </Alert>
  );
}

function Uploading({ one }: { one: CompanyImport }) {
  const upload = useStore(companyUpload, ({ current }) => current);
  const mine = upload?.importId === one.id ? upload : null;
  const sent = Math.max(mine?.sent ?? 0, one.received_bytes);
  return (
    <Stack gap="sm">
      {mine?.stopped && (
        <Alert color="red" role="alert">
          {mine.stopped.text}
        </Alert>
      )}
      <Going
        label={t('{sent} of {all} uploaded', {
          sent: formatBytes(sent),
          all: formatBytes(one.file.bytes),
        })}
        percent={Math.floor((sent / one.file.bytes) * 100)}
      />
      {(!mine || mine.stopped) && <ResumeUpload one={one} />}
    </Stack>
  );
}

const Going = ({ label, percent }: { label: string; percent: number }) => (
  <Stack gap={4}>
    <Group justify="space-between">
      <Text size="sm">{label}</Text>
      <Text size="sm">{t('{percent}%', { percent })}</Text>
    </Group>
    <Progress value={percent} aria-label={label} />
  </Stack>
);

function useActions({ id, report }: CompanyImport, refetch: () => void, close: () => void) {
  const params = { id };
  const changes = { invalidates: [contract.listCompanyImports, contract.getCompanyImport] };
  const checking = useApiMutation(contract.checkCompanyImport, changes);
  const importing = useApiMutation(contract.startCompanyImport, changes);
  const deleting = useApiMutation(contract.deleteCompanyImport, {
    invalidates: [contract.listCompanyImports],
    success: t('Upload discarded'),
  });
  return {
    isPending: checking.isPending || importing.isPending || deleting.isPending,
    check: async () => void ((await checking.mutate({ params })) && refetch()),
    importNow: async () => {
      const yes = await confirm({
        title: t('Import {name}?', { name: report?.company.name ?? '' }),
        body: t(
          'The company appears with its people, numbers and history. All of it is imported or nothing. Importing can’t be undone.',
        ),
        confirmLabel: t('Import'),
      });
      if (yes && (await importing.mutate({ params }))) refetch();
    },
    discard: async () => {
      const yes = await confirm({
        title: t('Discard this upload?'),
        body: t('The uploaded file is deleted. Nothing was imported from it.'),
        confirmLabel: t('Discard'),
        danger: true,
      });
      if (!yes) return;
      cancelUpload(id);
      if (await deleting.mutate({ params })) close();
    },
  };
}

function Next(props: { one: CompanyImport; refetch: () => void; close: () => void }) {
  const { one, refetch, close } = props;
  const { state, has_file: hasFile, report } = one;
  const { isPending, check, importNow, discard } = useActions(one, refetch, close);
  if (state === 'importing') return null;
  const canCheck = hasFile && (state === 'ready' || state === 'refused' || state === 'failed');
  return (
    <Stack gap="sm">
      {state === 'done' && report && (
        <Anchor href={`/admin/companies?company=${report.company.id}&search=${report.company.id}`}>
          {t('Open {name}', { name: report.company.name })}
        </Anchor>
      )}
      {!hasFile && state !== 'done' && state !== 'uploading' && (
        <Text size="sm">
          {t('The uploaded file was deleted. Upload the archive again to import it.')}
        </Text>
      )}
      <Group gap="sm">
        {state === 'ready' && hasFile && (
          <Button loading={isPending} onClick={() => void importNow()}>
            {t('Import')}
          </Button>
        )}
        {canCheck && (
          <Button variant="default" disabled={isPending} onClick={() => void check()}>
            {t('Check again')}
          </Button>
        )}
        {state !== 'done' && (
          <Button variant="default" disabled={isPending} onClick={() => void discard()}>
            {t('Discard')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function About({ one }: { one: CompanyImport }) {
  const { report } = one;
  return (
    <Section title={t('File')}>
      <Facts
        rows={[
          [t('Status'), <ImportState key="state" state={one.state} />],
          [t('Name'), one.file.name],
          [t('Size'), formatBytes(one.file.bytes)],
          report && [t('Written'), <Time key="written" at={report.written_at} />],
          report && [t('SHA-256'), <code key="hash">{report.sha256}</code>],
          [t('Uploaded by'), one.created_by.name],
          [t('Uploaded'), <Time key="created" at={one.created_at} />],
          one.imported_by && [t('Imported by'), one.imported_by.name],
          one.finished_at !== null && [t('Finished'), <Time key="finished" at={one.finished_at} />],
          one.delete_at !== null && [
            t('Upload is kept until'),
            <Time key="kept" at={one.delete_at} />,
          ],
        ]}
      />
    </Section>
  );
}
