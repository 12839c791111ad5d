import { Group, Loader, Stack, Text } from '@mantine/core';
import { porting } from '#contract';
import { Drawer, ErrorState, StatusBadge, t, useApiQuery, usePermission } from '#ui';
import { dayName, portStatusName, portStatusTone } from './labels.ts';
import { PortActions } from './PortActions.tsx';
import { PortDocuments } from './PortDocuments.tsx';
import { PortFacts, PortNumbers } from './PortFacts.tsx';
import { PortNotices } from './PortNotices.tsx';
import { PortTimeline } from './PortTimeline.tsx';
import { SandboxPanel } from './SandboxPanel.tsx';

type Port = porting.PortRequest;

/** A port request: its status, what it needs, and its timeline. */
export function PortDrawer({
  id,
  close,
  edit,
}: {
  id: number;
  close: () => void;
  edit: (id: number) => void;
}) {
  const { response, error, refetch } = useApiQuery(porting.getPort, { params: { id } });
  const port = response?.data;
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="36rem"
      title={port ? titleOf(port) : t('Port request')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {error && !port ? (
        <ErrorState error={error} retry={refetch} />
      ) : port ? (
        <PortSummary port={port} edit={edit} />
      ) : (
        <Loader aria-label={t('Loading')} />
      )}
    </Drawer>
  );
}

const titleOf = ({ numbers: [first, ...others] }: Port): string =>
  first && others.length === 0
    ? first.formatted
    : t('{n, plural, one {# number} other {# numbers}}', { n: first ? others.length + 1 : 0 });

function PortSummary({ port, edit }: { port: Port; edit: (id: number) => void }) {
  const mayEdit = usePermission('ports.edit');
  const isDateConfirmed = port.status === 'firmOrderScheduled';
  const hasOtherDocuments = port.status !== 'documentsRequested' && port.documents.length > 0;
  return (
    <Stack gap="md">
      <Group gap="sm">
        <StatusBadge tone={portStatusTone(port.status)}>{portStatusName(port.status)}</StatusBadge>
        {port.foc_date && isDateConfirmed && (
          <Text fz="sm">{t('Ports on {day}', { day: dayName(port.foc_date) })}</Text>
        )}
      </Group>
      <PortNotices port={port} mayEdit={mayEdit} edit={edit} />
      <PortNumbers numbers={port.numbers} />
      <PortFacts port={port} />
      {hasOtherDocuments && <PortDocuments port={port} kinds={['bill']} mayEdit={false} />}
      {port.carrier === 'sandbox' && <SandboxPanel port={port} />}
      <PortTimeline port={port} mayEdit={mayEdit} />
      {mayEdit && <PortActions port={port} edit={edit} />}
    </Stack>
  );
}
