import { IconFlask } from '@tabler/icons-react';
import { Facts, formatPhoneNumber, StatusBadge, t, Time } from '#ui';
import { callerTypes, lineTypes, type Identity } from './caller-identity-labels.ts';
import css from './CallerIdentity.module.css';

/** Unknown values are left out, never guessed. */
export function IdentityCard({ identity: i }: { identity: Identity }) {
  const addresses = (i.addresses ?? []).map((a) =>
    [a.street, a.city, [a.state, a.zip].filter(Boolean).join(' ')].filter(Boolean).join(', '),
  );
  return (
    <div className={css.card} role="group" aria-label={t('Enhanced Caller ID')}>
      <div className={css.head}>
        <strong>{i.name ?? t('No name')}</strong>
        {i.source === 'simulated' && (
          <StatusBadge tone="info" icon={<IconFlask size={13} aria-hidden />}>
            {t('Simulated')}
          </StatusBadge>
        )}
      </div>
      <Facts
        rows={[
          [
            t('Type'),
            [
              t(callerTypes[i.type] ?? 'Unknown'),
              t(lineTypes[i.line_type] ?? 'Other'),
              i.is_prepaid ? t('prepaid') : null,
            ]
              .filter(Boolean)
              .join(', '),
          ],
          i.business?.industry ? [t('Industry'), i.business.industry] : null,
          i.carrier ? [t('Carrier'), i.carrier] : null,
          i.age_range ? [t('Age'), i.age_range] : null,
          addresses.length > 0 ? [t('Address'), addresses.join('; ')] : null,
          (i.emails ?? []).length > 0 ? [t('Email'), i.emails.join(', ')] : null,
          (i.alternate_phones ?? []).length > 0
            ? [t('Other numbers'), i.alternate_phones.map((p) => formatPhoneNumber(p)).join(', ')]
            : null,
          [t('Looked up'), <Time key="at" at={i.checked_at} as="ago" />],
        ]}
      />
    </div>
  );
}
