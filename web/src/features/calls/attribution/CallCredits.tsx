import { Select } from '@mantine/core';
import { useState } from 'react';
import type { tracking } from '#contract';
import { formatNumber, t, Time } from '#ui';
import { fallbackSentence, modelName, modelSentence } from '../../tracking/index.ts';
import { pagesText, pageText } from './labels.ts';
import css from './CallSource.module.css';

/** The visits before a call, and what each model gives them; at first the pool’s model. */
export function CallCredits({ found }: { found: tracking.Attribution }) {
  const [chosen, setChosen] = useState<tracking.AttributionModel | null>(null);
  const model = chosen ?? found.model;
  const given = found.credits.find((one) => one.model === model);
  const points = new Map(given?.credits.map((one) => [one.sessionId, one.basisPoints]));
  return (
    <>
      <h3 className={css.heading}>{t('Visits before the call')}</h3>
      <Select
        mt={6}
        label={t('Attribution model')}
        description={modelSentence(model)}
        allowDeselect={false}
        data={found.credits.map((one) => ({ value: one.model, label: modelName(one.model) }))}
        value={model}
        onChange={(value) => value && setChosen(value)}
      />
      {given?.fallback && <p className={css.sentence}>{fallbackSentence(given.fallback)}</p>}
      <ul className={css.visits}>
        {found.touches.map((one) => (
          <li key={one.sessionId}>
            <span className={css.what}>
              <b>{one.source.label}</b> {one.campaign}{' '}
              {one.landingUrl !== null && (
                <span className={css.quiet}>{pageText(one.landingUrl)}</span>
              )}
              <br />
              <span className={css.quiet}>
                <Time at={one.at} as="moment" />
                {one.pages > 0 && ` · ${pagesText(one.pages)}`}
              </span>
            </span>
            <span className={css.when}>{creditText(points.get(one.sessionId))}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Undefined: none, or it is with an earlier visit of the same source. */
function creditText(basisPoints: number | undefined): string {
  if (basisPoints === undefined) return '–';
  if (basisPoints === 0) return t('< 0.01%');
  return t('{n}%', { n: formatNumber(basisPoints / 100) });
}
