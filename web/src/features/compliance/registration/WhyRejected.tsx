import { IconAlertTriangle } from '@tabler/icons-react';
import { t } from '#ui';
import { kindName, type Shown } from './words.ts';
import css from './Registration.module.css';

/** Why it came back and what to change, in the reviewer's words. */
export function WhyRejected({ shown }: { shown: Shown }) {
  if (!shown.rejection.length) return null;
  const rejected = shown.status.local === 'rejected' || shown.status.toll_free === 'rejected';
  return (
    <section className={css.why} aria-label={t('Why it came back')}>
      <h2>
        <IconAlertTriangle size={18} aria-hidden className={css.bad} />
        {rejected ? t('Why it was rejected, and how to fix it') : t('What is needed from you')}
      </h2>
      <ul>
        {shown.rejection.map((r, i) => (
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
