import { useEffect, useState } from 'react';
import { Alert, Button } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { submitSmsCampaign } from '#contract/compliance/registration/endpoints';
import type { CheckResult } from '#contract/compliance/registration/schemas';
import { api, Section, t } from '#ui';
import { Fees } from './Fees.tsx';
import { missingFields, stepOfField, type RegistrationForm, type Step } from './form.ts';
import type { RegistrationView } from './labels.ts';
import css from './Registration.module.css';

interface Props {
  form: RegistrationForm;
  registration: RegistrationView;
  saved: string;
  goTo: (step: Step) => void;
}

/** Review step: missing fields, the results of the checks, and the fees. */
export function ReviewStep({ form, registration, saved, goTo }: Props) {
  const gaps = Object.entries(missingFields(form.values));
  const [checks, setChecks] = useState<CheckResult[] | null>(null);
  const [asking, setAsking] = useState(false);
  const look = (): void => {
    setAsking(true);
    void api(submitSmsCampaign, {
      params: { companyId: ':companyId', id: registration.id },
      body: { checks_only: true },
    })
      .then(
        ({ checks: found }) => setChecks(found),
        () => setChecks(null),
      )
      .finally(() => setAsking(false));
  };
  // The checks run on the saved draft, so they run again after each save.
  // oxlint-disable-next-line exhaustive-deps -- once per saved draft
  useEffect(look, [saved]);
  const isComplete = gaps.length === 0 && checks?.every((c) => c.ok);
  return (
    <>
      {gaps.length > 0 && <MissingFields gaps={gaps} goTo={goTo} />}
      <Section
        title={t('Checks')}
        about={t('Free and instant. They cover what reviewers look at first.')}
        action={
          <Button size="compact-sm" variant="default" loading={asking} onClick={look}>
            {t('Check again')}
          </Button>
        }
      >
        <ul className={css.lines} aria-live="polite">
          {(checks ?? []).map((c) => (
            <CheckRow key={c.code} check={c} onFix={() => goTo(stepOfField(c.field))} />
          ))}
        </ul>
        {checks === null && (
          <p>{asking ? t('Checking…') : t('Couldn’t run the checks. Try again.')}</p>
        )}
      </Section>
      <Fees fees={registration.fees} />
      {isComplete && (
        <Alert color="teal" mt="md">
          {t('Everything is complete. Submit to send it to the carriers’ reviewers.')}
        </Alert>
      )}
    </>
  );
}

function MissingFields({
  gaps,
  goTo,
}: {
  gaps: [field: string, text: string][];
  goTo: (step: Step) => void;
}) {
  return (
    <Section title={t('Still missing')}>
      <ul className={css.lines}>
        {gaps.map(([field, text]) => (
          <li key={field}>
            <span>{text}</span>
            <Button size="compact-xs" variant="default" onClick={() => goTo(stepOfField(field))}>
              {t('Go to step')}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function CheckRow({ check: c, onFix }: { check: CheckResult; onFix: () => void }) {
  return (
    <li data-ok={c.ok}>
      {c.ok ? (
        <IconCheck size={16} aria-hidden className={css.good} />
      ) : (
        <IconX size={16} aria-hidden className={css.bad} />
      )}
      <span className={css.grow}>
        <b>{c.title}</b>
        {c.simulated && <small>{t('Checked against the sandbox’s simulated site')}</small>}
        {c.fix && <span>{c.fix}</span>}
      </span>
      {!c.ok && (
        <Button size="compact-xs" variant="default" onClick={onFix}>
          {t('Fix')}
        </Button>
      )}
    </li>
  );
}
