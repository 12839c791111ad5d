import { brandTypes, optInTypes, plainUseCases } from '#contract/compliance/registration/lists';
import { Facts, Section, t } from '#ui';
import { caseName, type RegistrationView } from './labels.ts';
import css from './Registration.module.css';

/** Read-only view of a submitted registration. */
export function Summary({ shown: registration }: { shown: RegistrationView }) {
  const { brand: b, campaign: c } = registration;
  return (
    <>
      <Section title={t('Brand')}>
        <Facts
          rows={[
            [t('Legal name'), b.legal_name || '–'],
            b.dba !== '' && [t('Doing business as'), b.dba],
            [t('Business type'), b.type ? t(brandTypes[b.type]) : '–'],
            [t('EIN'), b.ein || '–'],
            b.stock_exchange !== null && [t('Listed'), `${b.stock_exchange} ${b.stock_symbol}`],
            [
              t('Industry'),
              b.industry ? b.industry.charAt(0).toUpperCase() + b.industry.slice(1) : '–',
            ],
            [t('Website'), b.website || '–'],
            [t('Email'), b.email || '–'],
            b.score !== null && [t('Trust score'), String(b.score)],
          ]}
        />
      </Section>
      <Section title={t('Campaign')}>
        <Facts
          rows={[
            [t('Use case'), caseName(registration)],
            c.sub_usecases.length > 0 && [
              t('Use cases'),
              c.sub_usecases.map((u) => t(plainUseCases[u])).join(', '),
            ],
            [t('Texts per month'), c.monthly_volume ?? '–'],
            [t('Description'), c.description || '–'],
            ...c.sample_messages.map((s, i) => [t('Sample {n}', { n: i + 1 }), s] as const),
            ...c.optins.map(
              (o, i) =>
                [
                  c.optins.length > 1
                    ? t('Opt-in method {n}', { n: i + 1 })
                    : t('How people opt in'),
                  `${o.type ? t(optInTypes[o.type]) : '–'}: ${o.description}`,
                ] as const,
            ),
          ]}
        />
        {c.optins
          .flatMap((o) => o.supporting_files)
          .map((f) => (
            <p key={f.id} className={css.quiet}>
              <a href={f.url} target="_blank" rel="noreferrer">
                {f.name}
              </a>
            </p>
          ))}
      </Section>
    </>
  );
}
