import type { carriers } from '#contract';
import { StatusBadge, type Tone } from '../components/Badges.tsx';
import { Time } from '../components/Time.tsx';
import { t } from '../i18n.ts';
import css from './CarrierList.module.css';

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

/** Carriers with the state of the account at each. `figuresOf`: a line on what one carries. */
export function CarrierList<A extends Account>({
  accounts,
  figuresOf,
}: {
  accounts: readonly A[];
  figuresOf?: (account: A) => string;
}) {
  return (
    <ul className={css.list} aria-label={t('Carriers')}>
      {accounts.map((account) => (
        <Carrier key={account.name} account={account} figures={figuresOf?.(account)} />
      ))}
    </ul>
  );
}

function Carrier({ account: a, figures }: { account: Account; figures?: string | undefined }) {
  const [word, tone] = states[a.state];
  const trouble = a.state === 'refused' || a.state === 'unreachable';
  return (
    <li>
      <div className={css.head}>
        <h2>{a.label}</h2>
        <StatusBadge tone={tone}>{t(word)}</StatusBadge>
      </div>
      <p role={trouble ? 'alert' : undefined}>{a.sentence ?? t(stateTexts[a.state] ?? '')}</p>
      {figures && <p>{figures}</p>}
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
