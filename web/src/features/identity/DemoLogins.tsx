import { companies } from '#contract';
import { demoCustomer } from '#contract/caddy/rules';
import { PersonAvatar, selectCompany, t, useApiQuery } from '#ui';
import css from './DemoLogins.module.css';

/** The password of every demo account, also printed at startup and in the README. */
const demoPassword = 'trunkline-demo';

/** One-click sign-in to a demo account. Shown only when the server runs in demo mode. */
export function DemoLogins({
  onEnter,
  busy,
}: {
  onEnter: (email: string, password: string, admin: boolean) => void;
  busy: boolean;
}) {
  const { response } = useApiQuery(companies.demoPeople, {}, { staleTime: Infinity, silent: true });
  const people = response?.data ?? [];
  if (people.length === 0) return null;
  return (
    <section aria-labelledby="enter-as">
      <h2 id="enter-as" className={css.title}>
        {t('Or explore the demo. Enter as')}
      </h2>
      <div className={css.people}>
        {people.map((p) => (
          <button
            key={p.email}
            type="button"
            className={css.chip}
            disabled={busy}
            onClick={() => {
              selectCompany(p.company_id);
              onEnter(p.email, demoPassword, p.role === 'Platform admin');
            }}
            title={p.email}
          >
            <PersonAvatar name={p.name} size={28} />
            <span>
              <strong>{p.role}</strong>
              <small>{p.name}</small>
            </span>
          </button>
        ))}
        <a href="/caddy/sign-in" className={css.chip} title={demoCustomer}>
          <PersonAvatar name="Casey Customer" size={28} />
          <span>
            <strong>{t('Caddy customer')}</strong>
            <small>Casey Customer</small>
          </span>
        </a>
      </div>
      <p className={css.words}>
        {t('All carriers, cards and emails in the demo are simulated.')}{' '}
        <a href="/what-is-simulated">{t('What is simulated')}</a>
      </p>
    </section>
  );
}
