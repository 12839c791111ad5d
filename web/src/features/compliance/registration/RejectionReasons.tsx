import { IconAlertTriangle } from '@tabler/icons-react';
import { t } from '#ui';
import { kindName, type RegistrationView } from './labels.ts';
import css from './Registration.module.css';

/** Why the registration was returned, and what to change, in the reviewer's words. */
export function RejectionReasons({ shown: registration }: { shown: RegistrationView }) {
  if (!registration.rejection.length) return null;
  const rejected =
    registration.status.local === 'rejected' || registration.status.toll_free === 'rejected';
  return (
    <section className={css.why} aria-label={t('Why it was returned')}>
      <h2>
        <IconAlertTriangle size={18} aria-hidden className={css.bad} />
        {rejected ? t('Why it was rejected, and how to fix it') : t('What we need from you')}
      </h2>
      <ul>
        {registration.rejection.map((r, i) => (
          <li key={i} title={r.code}>
            <p>
              <b>{r.text}</b>
              {r.kind && <span className={css.quiet}> · {kindName(r.kind)}</span>}
            </p>
            <p>{r.fix}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
