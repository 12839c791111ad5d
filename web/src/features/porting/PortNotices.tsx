import { useEffect, useRef } from 'react';
import { Button, Group, Text } from '@mantine/core';
import { porting } from '#contract';
import { t, useApiMutation } from '#ui';
import { documentName } from './labels.ts';
import { PortDocuments } from './PortDocuments.tsx';
import css from './ports.module.css';

type Port = porting.PortRequest;
interface PortNoticesProps {
  port: Port;
  mayEdit: boolean;
  edit: (id: number) => void;
}

/** What a port request needs now: an alarm, a rejection to fix, documents to send, a draft to continue. */
export function PortNotices({ port, mayEdit, edit }: PortNoticesProps) {
  // An alarm can appear while the user reads further down, so it is scrolled into view.
  const alarm = useRef<HTMLDivElement>(null);
  useEffect(() => alarm.current?.scrollIntoView({ block: 'center' }), [port.alarm?.code]);
  const submit = useApiMutation(porting.submitPort, {
    invalidates: [porting.listPorts, porting.portStats, porting.getPort],
    success: t('Port request submitted'),
  });
  return (
    <>
      {port.alarm && (
        <div ref={alarm} className={css.notice} data-tone="danger" role="alert">
          <Text fw={500}>{t('This port needs your attention')}</Text>
          <p>{port.alarm.text}</p>
        </div>
      )}
      {port.rejection && port.status === 'rejected' && (
        <div className={css.notice} data-tone="danger">
          <Text fw={500}>{port.rejection.text}</Text>
          <p>{port.rejection.fix}</p>
          {mayEdit && (
            <Button size="compact-md" onClick={() => edit(port.id)}>
              {t('Fix and submit again')}
            </Button>
          )}
        </div>
      )}
      {port.status === 'documentsRequested' && (
        <DocumentsRequest
          port={port}
          mayEdit={mayEdit}
          isSubmitting={submit.isPending}
          onSubmit={() => void submit.mutate({ params: { id: port.id }, body: {} })}
        />
      )}
      {port.status === 'pending' && mayEdit && (
        <Group>
          <Button onClick={() => edit(port.id)}>{t('Continue')}</Button>
        </Group>
      )}
    </>
  );
}

function DocumentsRequest({
  port,
  mayEdit,
  isSubmitting,
  onSubmit,
}: {
  port: Port;
  mayEdit: boolean;
  isSubmitting: boolean;
  onSubmit: () => void;
}) {
  const missing = port.documents_wanted.filter(
    (kind) => !port.documents.some((d) => d.kind === kind),
  );
  const otherKinds = porting.portDocumentKinds.filter(
    (k) => !port.documents_wanted.includes(k) && k !== 'loa',
  );
  return (
    <div className={css.notice}>
      <Text fw={500}>
        {t('The carrier needs: {papers}', {
          papers: port.documents_wanted.map(documentName).join(', '),
        })}
      </Text>
      {mayEdit && (
        <>
          <PortDocuments port={port} kinds={[...port.documents_wanted, ...otherKinds]} mayEdit />
          <Group mt="sm">
            <Button loading={isSubmitting} disabled={missing.length > 0} onClick={onSubmit}>
              {t('Send documents')}
            </Button>
          </Group>
        </>
      )}
    </div>
  );
}
