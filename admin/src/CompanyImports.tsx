import { Suspense, useState } from 'react';
import { Alert, Button, FileButton, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconPackageImport, IconUpload } from '@tabler/icons-react';
import { adminMode, companyImports as contract } from '#contract';
import { isRunning } from '#contract/archive/company-imports/rules';
import {
  api,
  ApiError,
  DataList,
  EmptyState,
  formatBytes,
  Page,
  Section,
  t,
  Time,
  useApiQuery,
  useFilters,
  type Column,
  lazyScreen,
} from '#ui';
import { uploadParts } from './company-upload.ts';
import { ImportState, usePolling, type CompanyImport } from './import-state.tsx';

const POLL_MS = 5_000;
const noneOpened = { import: 0 };
const CompanyImportReport = lazyScreen(() => import('./CompanyImport.tsx'));
/** Imports companies from the archives that they created elsewhere. */
export default function CompanyImports() {
  const { filters, set } = useFilters(noneOpened, ['import']);
  const opened = filters.import;
  const show = (id: number) => set({ import: id });
  if (opened > 0)
    return (
      <Suspense fallback={<Skeleton height={240} />}>
        <CompanyImportReport key={opened} id={opened} close={() => show(0)} />
      </Suspense>
    );
  return (
    <Page
      title={t('Import a company')}
      description={t('Bring a company here with everything it had on another installation.')}
    >
      <ChooseArchive onBegun={show} />
      <Section title={t('Uploaded archives')}>
        <Uploads open={show} />
      </Section>
    </Page>
  );
}

function useBegin(onBegun: (id: number) => void) {
  const [error, setError] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const begin = async (file: File | null): Promise<void> => {
    if (!file) return;
    setError(null);
    if (!(await isZip(file))) {
      setError(
        t(
          'This file isn’t an archive. Choose the ZIP file that a company created under Settings → Data.',
        ),
      );
      return;
    }
    setPending(true);
    try {
      const body = { name: file.name.slice(-200), bytes: file.size };
      const { data } = await api(contract.createCompanyImport, { body }, { silent: true });
      void uploadParts(data, file);
      onBegun(data.id);
    } catch (problem) {
      if (problem instanceof ApiError) setError(problem.text);
      else throw problem;
    } finally {
      setPending(false);
    }
  };
  return { begin, error, isPending };
}

/** Nobody should upload a wrong file for minutes. The server checks it, too. */
const isZip = async (file: File): Promise<boolean> =>
  (await file.slice(0, 4).text()) === 'PK\u0003\u0004';

function ChooseArchive({ onBegun }: { onBegun: (id: number) => void }) {
  const { begin, error, isPending } = useBegin(onBegun);
  const mode = useApiQuery(adminMode.getAdminMode, {}, { silent: true });
  const canWrite = mode.response?.data?.may_write ?? false;
  return (
    <Section
      title={t('Upload an archive')}
      about={t(
        'Owners create archives under Settings → Data. The upload is checked first. Nothing changes until you start the import.',
      )}
    >
      <Stack gap="sm">
        {error && (
          <Alert color="red" role="alert">
            {error}
          </Alert>
        )}
        <Group gap="md">
          <FileButton onChange={(file) => void begin(file)} accept=".zip,application/zip">
            {(props) => (
              <Button
                {...props}
                leftSection={<IconUpload size={16} />}
                loading={isPending}
                disabled={!canWrite}
              >
                {t('Choose archive')}
              </Button>
            )}
          </FileButton>
          {mode.response && !canWrite && (
            <Text size="sm">{t('To import, allow changes in admin mode first.')}</Text>
          )}
        </Group>
      </Stack>
    </Section>
  );
}

function Uploads({ open }: { open: (id: number) => void }) {
  const list = useApiQuery(contract.listCompanyImports, {}, { silent: true });
  const { refetch } = list;
  const rows = list.response?.data;
  const isGoing = rows?.some(({ state }) => isRunning(state) || state === 'uploading') ?? false;
  usePolling(isGoing, refetch, POLL_MS);
  return (
    <DataList
      label={t('Uploaded archives')}
      rows={rows}
      loading={list.loading}
      error={list.error}
      refetch={refetch}
      rowKey={(row) => row.id}
      rowLabel={(row) => row.report?.company.name ?? row.file.name}
      columns={columns}
      onOpen={(row) => open(row.id)}
      empty={
        <EmptyState
          icon={<IconPackageImport size={28} stroke={1.5} />}
          title={t('No archives uploaded yet')}
        >
          {t('Archives appear here with the result of their check.')}
        </EmptyState>
      }
    />
  );
}

const columns: Column<CompanyImport>[] = [
  {
    key: 'company',
    title: t('Company'),
    width: 'minmax(120px, 1fr)',
    // Not known before the check.
    cell: (row) => row.report?.company.name ?? row.file.name,
  },
  {
    key: 'file',
    title: t('File'),
    width: 'minmax(140px, 1.4fr)',
    wideOnly: true,
    cell: (row) => row.file.name,
  },
  {
    key: 'bytes',
    title: t('Size'),
    width: '90px',
    align: 'end',
    wideOnly: true,
    cell: (row) => formatBytes(row.file.bytes),
  },
  {
    key: 'state',
    title: t('Status'),
    width: '120px',
    cell: (row) => <ImportState state={row.state} />,
  },
  {
    key: 'by',
    title: t('Uploaded by'),
    width: 'minmax(110px, 1fr)',
    wideOnly: true,
    cell: (row) => row.created_by.name,
  },
  {
    key: 'created_at',
    title: t('Uploaded'),
    width: '110px',
    align: 'end',
    wideOnly: true,
    cell: (row) => <Time at={row.created_at} as="ago" />,
  },
];
