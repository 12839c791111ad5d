import { useEffect, useState } from 'react';
import { Stack, Stepper, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { importing } from '#contract';
import {
  ErrorState,
  lazyComponent,
  Page,
  PageSkeleton,
  StatusBadge,
  t,
  useApiQuery,
  useCommands,
  useFilters,
} from '#ui';
import { ContactsTabs } from '../ContactsTabs.tsx';
import { DropZone } from '../importing/DropZone.tsx';
import { ImportHistory } from '../importing/ImportHistory.tsx';
import { ResultStep, trackImport } from '../importing/ResultStep.tsx';
import { stateName, stateTone, type Import } from '../importing/labels.ts';

const ColumnsStep = lazyComponent(
  async () => (await import('../importing/ColumnsStep.tsx')).ColumnsStep,
);
const ReviewStep = lazyComponent(
  async () => (await import('../importing/ReviewStep.tsx')).ReviewStep,
);

const defaultFilters = { import: '', step: '', page: 1 };

/** Imports contacts from a file. The URL holds the import's id and step. */
export default function ContactsImport() {
  const { filters, set } = useFilters(defaultFilters);
  const id = Number(filters.import) || null;
  useCommands([
    {
      id: 'contacts.import',
      title: t('Import contacts'),
      group: t('Contacts'),
      href: '/contacts/import',
    },
  ]);
  if (id !== null)
    return (
      <ImportView
        id={id}
        step={filters.step === 'review' ? 'review' : 'columns'}
        setStep={(step) => set({ import: String(id), step })}
        opened={(opened) => set({ import: String(opened), step: 'columns' })}
      />
    );
  return (
    <Page title={t('Import contacts')} filters={<ContactsTabs />}>
      <Stack gap="xl">
        <DropZone opened={(opened) => set({ import: String(opened), step: 'columns' })} />
        <ImportHistory page={filters.page} onPage={(page) => set({ page })} />
      </Stack>
    </Page>
  );
}

function ImportView({
  id,
  step,
  setStep,
  opened,
}: {
  id: number;
  step: 'columns' | 'review';
  setStep: (step: 'columns' | 'review') => void;
  opened: (importId: number) => void;
}) {
  const { response, error, refetch } = useApiQuery(importing.getContactImport, {
    params: { importId: id },
  });
  const file = response?.data;
  // Live events may be missed while offline, so a running import is also polled.
  const busy = file?.state === 'running' || file?.state === 'undoing';
  useEffect(() => {
    if (!busy) return;
    const timer = setInterval(refetch, 3000);
    return () => clearInterval(timer);
  }, [busy, refetch]);
  useEffect(() => {
    if (file) trackImport(file);
  }, [file?.state, file?.batchId]); // oxlint-disable-line exhaustive-deps -- once per job
  if (!file)
    return error ? (
      <Page title={t('Import contacts')} back={{ href: '/contacts/import', label: t('Imports') }}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    ) : (
      <PageSkeleton />
    );
  return (
    <Page
      title={file.fileName}
      back={{ href: '/contacts/import', label: t('Imports') }}
      aside={<StatusBadge tone={stateTone(file.state)}>{stateName(file.state)}</StatusBadge>}
    >
      {file.state === 'uploaded' ? (
        <MappingStep key={file.id} file={file} step={step} setStep={setStep} opened={opened} />
      ) : (
        <>
          <Steps at={2} />
          <ResultStep file={file} />
        </>
      )}
    </Page>
  );
}

function MappingStep({
  file,
  step,
  setStep,
  opened,
}: {
  file: Import;
  step: 'columns' | 'review';
  setStep: (step: 'columns' | 'review') => void;
  opened: (importId: number) => void;
}) {
  const [mapping, setMapping] = useState<(string | null)[]>([...file.mapping]);
  return (
    <>
      <Steps at={step === 'columns' ? 0 : 1} to={(n) => setStep(n === 0 ? 'columns' : 'review')} />
      {step === 'columns' ? (
        <ColumnsStep
          file={file}
          mapping={mapping}
          setMapping={setMapping}
          next={() => setStep('review')}
          opened={opened}
        />
      ) : (
        <ReviewStep
          file={file}
          mapping={mapping}
          back={() => setStep('columns')}
          begun={() => {}}
        />
      )}
    </>
  );
}

function Steps({ at, to }: { at: 0 | 1 | 2; to?: (step: number) => void }) {
  const narrow = useMediaQuery('(max-width: 48em)') ?? false;
  const names = [t('Columns'), t('Review'), t('Import')] as const;
  if (narrow)
    return (
      <Text fw={500} mb="sm">
        {t('Step {n} of 3: {name}', { n: at + 1, name: names[at] })}
      </Text>
    );
  return (
    <Stepper
      active={at}
      size="xs"
      mb="lg"
      {...(to && { onStepClick: to })}
      allowNextStepsSelect={false}
    >
      {names.map((name) => (
        <Stepper.Step key={name} label={name} />
      ))}
    </Stepper>
  );
}
