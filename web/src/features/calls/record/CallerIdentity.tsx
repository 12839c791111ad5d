import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconFlask, IconId } from '@tabler/icons-react';
import type { Answer } from '#contract/kit';
import { calls } from '#contract';
import { Facts, toast, formatPhoneNumber, ApiError, StatusBadge, t, Time } from '#ui';
import css from './CallerIdentity.module.css';

export type Identity = Answer<typeof calls.lookUpCaller>['data'];
const callerTypes: Record<Identity['type'], string> = {
  person: 'Person',
  business: 'Business',
  unknown: 'Unknown',
};
const lineTypes: Record<Identity['line_type'], string> = {
  mobile: 'Mobile',
  landline: 'Landline',
  voip: 'VoIP',
  toll_free: 'Toll-free',
  other: 'Other',
};

/** Kind and line type as labels; unknown values are left out. */
export const callerIdText = (type: string, line: string): string[] =>
  [
    type === 'unknown' ? '' : t(callerTypes[type as Identity['type']] ?? ''),
    t(lineTypes[line as Identity['line_type']] ?? ''),
  ].filter(Boolean);

/**
 * Looks up who is behind a number: a button first, then a card. A failure is shown in the wording
 * of A §8.
 */
export function CallerIdentity({
  known,
  ask,
}: {
  known: Identity | null;
  ask: () => Promise<Identity>;
}) {
  const [found, setFound] = useState(known);
  const [asking, setAsking] = useState(false);
  const look = async (): Promise<void> => {
    setAsking(true);
    await ask().then(setFound, async (reason: unknown) => {
      if (reason instanceof ApiError && reason.status === 0) return void toast.warn(reason.text);
      const code = reason instanceof ApiError ? reason.code : null;
      const { apiErrorText } = await import('#contract/errors');
      void toast.warn(
        code === 'lookup.not_configured' || code === 'lookup.away'
          ? apiErrorText(code)
          : apiErrorText('lookup.not_found'),
      );
    });
    setAsking(false);
  };
  if (!found)
    return (
      <Button
        mt="xs"
        size="compact-sm"
        variant="default"
        loading={asking}
        leftSection={<IconId size={15} aria-hidden />}
        onClick={() => void look()}
      >
        {t('Enhanced Caller ID')}
      </Button>
    );
  return <IdentityCard identity={found} />;
}

/** Unknown values are left out, never guessed. */
function IdentityCard({ identity: i }: { identity: Identity }) {
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
