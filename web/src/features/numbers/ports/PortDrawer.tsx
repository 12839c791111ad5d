import { useEffect, useRef, useState } from 'react';
import { Anchor, Button, Group, Loader, Stack, Text, Textarea } from '@mantine/core';
import { porting } from '#contract';
import {
  confirm,
  Drawer,
  ErrorState,
  Facts,
  formatPhoneNumber,
  Section,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  usePermission,
  useApiMutation,
} from '#ui';
import { PortDocuments } from './PortDocuments.tsx';
import { SandboxPanel } from './SandboxPanel.tsx';
import {
  dayName,
  documentName,
  portStatusName,
  portStatusTone,
  portTypeName,
  signedBy,
} from './labels.ts';
import css from './ports.module.css';

const invalidates = [porting.listPorts, porting.portStats, porting.getPort];

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
      title={
        port
          ? port.numbers.length === 1
            ? port.numbers[0]!.formatted
            : t('{n, plural, one {# number} other {# numbers}}', { n: port.numbers.length })
          : t('Port request')
      }
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

function PortSummary({ port, edit }: { port: porting.PortRequest; edit: (id: number) => void }) {
  const mayEdit = usePermission('ports.edit');
  // An alarm can appear while the user reads further down, so it is scrolled into view.
  const alarm = useRef<HTMLDivElement>(null);
  useEffect(() => alarm.current?.scrollIntoView({ block: 'center' }), [port.alarm?.code]);
  const submit = useApiMutation(porting.submitPort, {
    invalidates,
    success: t('Port request submitted'),
  });
  const cancel = useApiMutation(porting.cancelPort, {
    invalidates,
    success: t('Port request canceled'),
  });
  const askToCancel = async (): Promise<void> => {
    if (
      await confirm({
        title: t('Cancel this port request?'),
        body: t('The numbers stay with {carrier}. To port them later, submit a new request.', {
          carrier: port.losing_carrier || t('their carrier'),
        }),
        confirmLabel: t('Cancel request'),
        cancelLabel: t('Keep it'),
        danger: true,
      })
    )
      await cancel.mutate({ params: { id: port.id }, body: {} });
  };
  const wanted = port.documents_wanted.filter(
    (kind) => !port.documents.some((d) => d.kind === kind),
  );
  const editable = mayEdit && porting.isPortEditable(port.status);
  return (
    <Stack gap="md">
      <Group gap="sm">
        <StatusBadge tone={portStatusTone(port.status)}>{portStatusName(port.status)}</StatusBadge>
        {port.foc_date && port.status === 'firmOrderScheduled' && (
          <Text fz="sm">{t('Ports on {day}', { day: dayName(port.foc_date) })}</Text>
        )}
      </Group>
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
        <div className={css.notice}>
          <Text fw={500}>
            {t('The carrier needs: {papers}', {
              papers: port.documents_wanted.map(documentName).join(', '),
            })}
          </Text>
          {mayEdit && (
            <>
              <PortDocuments
                port={port}
                kinds={[
                  ...port.documents_wanted,
                  ...porting.portDocumentKinds.filter(
                    (k) => !port.documents_wanted.includes(k) && k !== 'loa',
                  ),
                ]}
                mayEdit
              />
              <Group mt="sm">
                <Button
                  loading={submit.isPending}
                  disabled={wanted.length > 0}
                  onClick={() => void submit.mutate({ params: { id: port.id }, body: {} })}
                >
                  {t('Send documents')}
                </Button>
              </Group>
            </>
          )}
        </div>
      )}
      {port.status === 'pending' && mayEdit && (
        <Group>
          <Button onClick={() => edit(port.id)}>{t('Continue')}</Button>
        </Group>
      )}
      <ul className={css.found} aria-label={t('Numbers')}>
        {port.numbers.map((n) => (
          <li key={n.number}>
            <span className={`${css.grow} tabular`}>
              {n.number_id ? <a href={`/numbers/${n.number_id}`}>{n.formatted}</a> : n.formatted}
            </span>
            <span className={css.quiet}>{portTypeName(n.type)}</span>
            {n.status === 'completed' ? (
              <StatusBadge tone="success">{t('Yours')}</StatusBadge>
            ) : n.status === 'failed' ? (
              <StatusBadge tone="danger">{t('Failed')}</StatusBadge>
            ) : null}
            {n.reason && (n.portable === false || n.status === 'failed') && (
              <span className={css.why}>
                {t('{number} cannot be moved: {reason}.', {
                  number: n.formatted,
                  reason: n.reason,
                })}
              </span>
            )}
          </li>
        ))}
      </ul>
      <Facts
        rows={[
          [t('Current carrier'), port.losing_carrier || '–'],
          [t('Account number'), port.account_number || '–'],
          [t('On the bill'), port.entity_name || '–'],
          [
            t('Authorized person'),
            [
              `${port.authorized_first_name} ${port.authorized_last_name}`.trim(),
              port.authorized_email,
              port.authorized_phone && formatPhoneNumber(port.authorized_phone),
            ]
              .filter(Boolean)
              .join(', ') || '–',
          ],
          [t('Port date'), dayName(port.foc_date ?? port.requested_date)],
          [
            t('Letter'),
            port.loa.state === 'signed' ? (
              <>
                {signedBy(port.loa)}
                {port.loa.file && (
                  <>
                    {' '}
                    ·{' '}
                    <Anchor inherit href={`${port.loa.file}&download=1`}>
                      {t('Download PDF')}
                    </Anchor>
                  </>
                )}
              </>
            ) : port.loa.state === 'sent' ? (
              t('Sent to be signed on paper')
            ) : (
              t('Not signed')
            ),
          ],
          port.carrier_ref !== null && [t('Carrier order'), port.carrier_ref],
          port.cancel_reason !== null && [t('Why it was canceled'), port.cancel_reason],
        ]}
      />
      {port.status !== 'documentsRequested' && port.documents.length > 0 && (
        <PortDocuments port={port} kinds={['bill']} mayEdit={false} />
      )}
      {port.carrier === 'sandbox' && <SandboxPanel port={port} />}
      <Section title={t('Timeline')} plain>
        <ol className={css.timeline}>
          {port.events.toReversed().map((e) => (
            <li key={e.id} data-kind={e.kind}>
              <div>
                {e.kind === 'note' || e.kind === 'alarm' ? <strong>{e.text}</strong> : e.text}
              </div>
              <div className={css.quiet}>
                {e.by ?? t('The carrier')} · <Time at={e.at} as="instant" />
              </div>
            </li>
          ))}
        </ol>
        {mayEdit && <Note port={port} />}
      </Section>
      {mayEdit && !porting.isPortFinal(port.status) && (
        <Group>
          {editable && port.status !== 'pending' && (
            <Button variant="default" onClick={() => edit(port.id)}>
              {t('Edit details')}
            </Button>
          )}
          <Button
            color="red"
            variant="subtle"
            loading={cancel.isPending}
            onClick={() => void askToCancel()}
          >
            {t('Cancel request')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Note({ port }: { port: porting.PortRequest }) {
  const [text, setText] = useState('');
  const { mutate, isPending } = useApiMutation(porting.addPortNote, {
    invalidates: [porting.getPort],
    success: t('Note added'),
    onSuccess: () => setText(''),
  });
  return (
    <Stack gap="xs" mt="md">
      <Textarea
        label={t('Note for your team')}
        autosize
        minRows={2}
        value={text}
        onChange={(e) => setText(e.currentTarget.value)}
      />
      <Group>
        <Button
          variant="default"
          size="compact-md"
          loading={isPending}
          disabled={!text.trim()}
          onClick={() => void mutate({ params: { id: port.id }, body: { text } })}
        >
          {t('Add note')}
        </Button>
      </Group>
    </Stack>
  );
}
