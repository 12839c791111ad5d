import type { calls } from '#contract';
import { t } from '#ui';

type Mood = calls.Call['sentiment']['label'];

/** What a mood is called. */
export const moodName = (mood: Mood): string =>
  ({
    positive: t('Positive'),
    neutral: t('Neutral'),
    negative: t('Negative'),
    mixed: t('Mixed'),
    unknown: t('Unknown'),
  })[mood];
