import { Button, Skeleton } from '@mantine/core';
import { carriers } from '#contract';
import { ErrorState, StatusBadge, t, Time, useApiQuery, useApiMutation, type Tone } from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import css from './SettingsCarriers.module.css';

type Account = carriers.CarrierAccount;
const states: Readonly<Record<Account['state'], readonly [string, Tone]>> = {
  ok: ['Working', 'success'],
  warning: ['Working', 'warn'],
  refused: ['Access refused', 'danger'],
  unreachable: ['Not responding', 'danger'],
  simulated: ['Simulated', 'neutral'],
  unchecked: ['Not checked', 'neutral'],
};
/** Shown when the server gives no sentence about the account. */
const stateTexts: Partial<Record<Account['state'], string>> = {
  ok: 'The account is working.',
  simulated: 'Calls and texts stay on this server.',
  unchecked: 'The account hasn’t been checked.',
};

/**
 * The carriers of this installation: which ones work, what is wrong with the others, and who can
 * fix it.
 */
export default function SettingsCarriers() {
  const { response, error, refetch } = useApiQuery(carriers.listCarriers, {}, { silent: true });
  const { mutate, isPending } = useApiMutation(carriers.checkCarriers, {
    invalidates: [carriers.listCarriers],
    success: t('Checked'),
  });
  const check = (
    <Button variant="default" loading={isPending} onClick={() => void mutate({ body: {} })}>
      {t('Check again')}
    </Button>
  );
  return (
    <SettingsFrame
      title={t('Carriers')}
      action={check}
      description={t(
        'The carriers your calls and texts go through. Each account is checked every 15 minutes.',
      )}
    >
      {response ? (
        <ul className={css.list} aria-label={t('Carriers')}>
          {response.data.map((account) => (
            <Carrier key={account.name} account={account} />
          ))}
        </ul>
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Skeleton height={120} aria-busy />
      )}
    </SettingsFrame>
  );
}

function Carrier({ account: a }: { account: Account }) {
  const [word, tone] = states[a.state];
  const trouble = a.state === 'refused' || a.state === 'unreachable';
  return (
    <li>
      <div className={css.head}>
        <h2>{a.label}</h2>
        <StatusBadge tone={tone}>{t(word)}</StatusBadge>
      </div>
      <p role={trouble ? 'alert' : undefined}>{a.sentence ?? t(stateTexts[a.state] ?? '')}</p>
      {a.since && (
        <p className={css.quiet}>
          {t('Since')} <Time at={a.since} as="instant" />
          {trouble && (
            <>
              {' '}
              ·{' '}
              {a.last_worked_at ? (
                <>
                  {t('last worked')} <Time at={a.last_worked_at} as="instant" />
                </>
              ) : (
                t('never worked here')
              )}
            </>
          )}
          {a.checked_at && (
            <>
              {' '}
              · {t('checked')} <Time at={a.checked_at} as="ago" />
            </>
          )}
        </p>
      )}
    </li>
  );
}
