import { Button, Stack, Text } from '@mantine/core';
import type { porting } from '#contract';
import { Facts, formatPhoneNumber, t } from '#ui';
import { dayName } from './labels.ts';
import css from './ports.module.css';
import rows from '../../shared/Rows.module.css';

type Port = porting.PortRequest;

/**
 * Review step of the porting wizard: what is missing, each with a button that opens its step, then
 * all details.
 */
export function PortReview({ port, onFix }: { port: Port; onFix: (field: string) => void }) {
  const needs = Object.entries(port.needs);
  const { service_address: address } = port;
  return (
    <Stack gap="md">
      <MissingParts needs={needs} onFix={onFix} />
      <Facts
        rows={[
          [t('Numbers'), port.numbers.map((n) => n.formatted).join(', ')],
          [t('Current carrier'), port.losing_carrier || '–'],
          [t('Account number'), port.account_number || '–'],
          [
            t('Main number on the account'),
            port.billing_telephone_number ? formatPhoneNumber(port.billing_telephone_number) : '–',
          ],
          [t('On the bill'), port.entity_name || '–'],
          [
            t('Authorized person'),
            [
              `${port.authorized_first_name} ${port.authorized_last_name}`.trim(),
              port.authorized_email,
            ]
              .filter(Boolean)
              .join(', ') || '–',
          ],
          [
            t('Service address'),
            [address.line1, address.line2, address.city, `${address.state} ${address.zip}`.trim()]
              .filter(Boolean)
              .join(', ') || '–',
          ],
          [t('Port date'), dayName(port.requested_date)],
          [t('Documents'), port.documents.map((d) => d.name).join(', ') || '–'],
          [
            t('Letter'),
            port.loa.state === 'signed'
              ? t('Signed by {name}', { name: port.loa.signed_by ?? '' })
              : t('Not signed'),
          ],
        ]}
      />
    </Stack>
  );
}

function MissingParts({
  needs,
  onFix,
}: {
  needs: [field: string, sentence: string][];
  onFix: (field: string) => void;
}) {
  if (needs.length === 0) return null;
  return (
    <div className={css.notice} role="status">
      <Text fw={500}>{t('Still to do')}</Text>
      <ul className={rows.rows}>
        {needs.map(([field, sentence]) => (
          <li key={field}>
            <span className={rows.grow}>{sentence}</span>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t('Fix: {sentence}', { sentence })}
              onClick={() => onFix(field)}
            >
              {t('Fix')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
