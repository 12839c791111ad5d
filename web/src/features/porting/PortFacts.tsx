import { Anchor } from '@mantine/core';
import type { porting } from '#contract';
import { Facts, formatPhoneNumber, StatusBadge, t } from '#ui';
import { dayName, portTypeName, signedBy } from './labels.ts';
import css from './ports.module.css';
import rows from '../../shared/Rows.module.css';

type Port = porting.PortRequest;

/** The numbers of a port request, each with its status and why it can't be moved. */
export function PortNumbers({ numbers }: { numbers: Port['numbers'] }) {
  return (
    <ul className={rows.rows} aria-label={t('Numbers')}>
      {numbers.map((n) => {
        const cannotMove = n.portable === false || n.status === 'failed';
        return (
          <li key={n.number}>
            <span className={`${rows.grow} tabular`}>
              {n.number_id ? <a href={`/numbers/${n.number_id}`}>{n.formatted}</a> : n.formatted}
            </span>
            <span className={rows.quiet}>{portTypeName(n.type)}</span>
            <NumberStatus status={n.status} />
            {n.reason && cannotMove && (
              <span className={css.why}>
                {t('{number} cannot be moved: {reason}.', {
                  number: n.formatted,
                  reason: n.reason,
                })}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function NumberStatus({ status }: { status: Port['numbers'][number]['status'] }) {
  if (status === 'completed') return <StatusBadge tone="success">{t('Yours')}</StatusBadge>;
  if (status === 'failed') return <StatusBadge tone="danger">{t('Failed')}</StatusBadge>;
  return null;
}

/** Account, authorized person, date, letter and carrier order of a port request. */
export function PortFacts({ port }: { port: Port }) {
  return (
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
        [t('Letter'), <Letter key="letter" loa={port.loa} />],
        port.carrier_ref !== null && [t('Carrier order'), port.carrier_ref],
        port.cancel_reason !== null && [t('Why it was canceled'), port.cancel_reason],
      ]}
    />
  );
}

function Letter({ loa }: { loa: Port['loa'] }) {
  if (loa.state === 'sent') return t('Sent to be signed on paper');
  if (loa.state !== 'signed') return t('Not signed');
  return (
    <>
      {signedBy(loa)}
      {loa.file && (
        <>
          {' '}
          ·{' '}
          <Anchor inherit href={`${loa.file}&download=1`}>
            {t('Download PDF')}
          </Anchor>
        </>
      )}
    </>
  );
}
